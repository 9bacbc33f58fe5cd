// SPDX-License-Identifier: MIT
/*
 * Glob matching. Only the last star ever needs to be tried again: what stood
 * before it has matched at the earliest place, which is as good as any.
 */
#include "core/glob.h"
#include "base/string.h"

bool glob_is_pattern(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (strchr("*?[\\", *pattern))
			return true;
	}
	return false;
}

static const char *class_start(const char *p, bool *negated)
{
	*negated = p[1] == '!';
	return p + 1 + *negated;
}

/* A ']' that comes first stands for itself. NULL when the class does not end. */
static const char *class_end(const char *p)
{
	bool negated;
	const char *end = class_start(p, &negated);

	if (!*end)
		return NULL;
	return strchr(end + 1, ']');
}

static bool is_range(const char *p, const char *end)
{
	return p + 2 < end && p[1] == '-';
}

static const char *class_error(const char *p)
{
	const char *end = class_end(p);
	bool negated;

	if (!end)
		return "a '[' without its ']'";
	for (p = class_start(p, &negated); p < end; p++) {
		if (!is_range(p, end))
			continue;
		if ((u8)p[0] > (u8)p[2])
			return "a range in [] that runs backwards";
		p += 2;
	}
	return NULL;
}

const char *glob_error(const char *pattern)
{
	const char *p, *error;

	if (!*pattern)
		return "it is empty";
	for (p = pattern; *p; p++) {
		if (*p == '\\') {
			if (!*++p)
				return "a '\\' with nothing behind it";
		} else if (*p == '[') {
			error = class_error(p);
			if (error)
				return error;
			p = class_end(p);
		}
	}
	return NULL;
}

static bool class_has(const char *p, const char *end, u8 byte)
{
	bool negated, found = false;

	for (p = class_start(p, &negated); p < end; p++) {
		if (is_range(p, end)) {
			found |= (u8)p[0] <= byte && byte <= (u8)p[2];
			p += 2;
		} else {
			found |= (u8)*p == byte;
		}
	}
	return found != negated;
}

/* Match one element that is no star against one byte; NULL, or behind the element. */
static const char *match_one(const char *p, char byte)
{
	const char *end;

	switch (*p) {
	case '?':
		return p + 1;
	case '[':
		end = class_end(p);
		return class_has(p, end, (u8)byte) ? end + 1 : NULL;
	case '\\':
		p++;
		break;
	}
	return *p == byte ? p + 1 : NULL;
}

bool glob_match(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL, *next;

	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = name;
			continue;
		}
		next = match_one(pattern, *name);
		if (next) {
			pattern = next;
			name++;
		} else if (star) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
