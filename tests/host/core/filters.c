// SPDX-License-Identifier: MIT
/* Globs and filters: tables of right answers, then random ones against simple models. */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/errno.h"
#include "base/host.h"
#include "core/fgraph.h"
#include "core/glob.h"
#include "core/lock.h"

/* Not under test here. */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind) { abort(); }
unsigned int host_nr_online(void) { return 1; }
int host_for_each_suspended(int (*fn)(const struct host_context *, void *), void *arg) { abort(); }
void host_stack_bounds(unsigned long *low, unsigned long *high) { abort(); }
void host_relax(void) { }

/* ---- globs ------------------------------------------------------------------- */

static const struct { const char *pattern, *name; bool match; } globs[] = {
	{ "schedule*", "s", false }, { "schedule*", "sched", false },
	{ "schedule*", "schedule", true }, { "schedule*", "schedule_tail", true },
	{ "*", "", true }, { "*", "x", true }, { "**", "x", true }, { "***", "", true },
	{ "?", "", false }, { "?", "x", true }, { "?", "xy", false }, { "??", "xy", true },
	{ "a*b*c", "abc", true }, { "a*b*c", "aXbYc", true }, { "a*b*c", "acb", false },
	{ "a*b*c", "abcbc", true }, { "*c", "abc", true }, { "*c", "abcd", false },
	{ "*bc*", "abcd", true }, { "*bd*", "abcd", false }, { "a*", "ba", false },
	{ "[a-c]", "a", true }, { "[a-c]", "c", true }, { "[a-c]", "d", false },
	{ "[!x]", "x", false }, { "[!x]", "y", true }, { "[!a-c]", "b", false },
	{ "[!x]", "", false }, { "[abx-z]", "y", true }, { "[a-]", "-", true },
	{ "[-a]", "-", true }, { "[]]", "]", true }, { "[!]]", "]", false }, { "[!]]", "a", true },
	{ "[]-a]", "^", true }, { "[*]", "*", true }, { "[*]", "a", false },
	{ "\\*", "*", true }, { "\\*", "a", false }, { "a\\?b", "a?b", true }, { "\\\\", "\\", true },
	{ "\\[", "[", true }, { "\\\\[a]", "\\a", true },
	{ "*.cold", "f.cold", true }, { "*.cold", "f.cold.1", false }, { "f.*", "f.part.0", true },
	{ "f.*", "f", false }, { "f*", "f", true }, { "*[0-9]", "f12", true }, { "*[0-9]", "f1x", false },
	{ "*a?", "aab", true }, { "x", "x", true }, { "x", "xx", false }, { "xx", "x", false },
};

static void test_glob_table(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(globs); i++) {
		bool ok = !glob_error(globs[i].pattern) &&
			  glob_match(globs[i].pattern, globs[i].name) == globs[i].match;

		if (!ok)
			fprintf(stderr, "pattern '%s' name '%s'\n", globs[i].pattern, globs[i].name);
		check(ok);
	}
}

static void test_glob_errors(void)
{
	static const char *const bad[] = {
		"", "[", "a[", "[a", "[]", "[!]", "[!", "[a-", "[c-a]", "x[b-a]y", "\\", "a\\", "[a]\\", "*[",
	};
	static const char *const good[] = { "[a-a]", "]", "a]b", "-", "!", "\\]", "[[]", "[!!]" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		check(glob_error(bad[i]));
	for (i = 0; i < ARRAY_SIZE(good); i++)
		check(!glob_error(good[i]));
}

static void test_glob_time(void)
{
	static char name[256], pattern[10001];

	memset(name, 'a', 255);
	check(!glob_match("*a*a*a*b", name));
	check(glob_match("*a*a*a*a", name));
	memset(pattern, 'a', 10000);
	check(!glob_error(pattern) && !glob_match(pattern, name));
	memset(pattern, '*', 10000);
	check(glob_match(pattern, name));
	for (unsigned int i = 0; i < 10000; i += 2)
		pattern[i] = 'a';
	check(!glob_match(pattern, name));
}

/* Text that ends right before an unmapped page: one byte read too many is fatal. */
static char *at_page_end(char *page, const char *text)
{
	return strcpy(page + 4096 - strlen(text) - 1, text);
}

static void test_glob_over_read(void)
{
	char *pages = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	mprotect(pages + 4096, 4096, PROT_NONE);
	mprotect(pages + 3 * 4096, 4096, PROT_NONE);
	for (i = 0; i < ARRAY_SIZE(globs); i++) {
		char *pattern = at_page_end(pages, globs[i].pattern);
		char *name = at_page_end(pages + 2 * 4096, globs[i].name);

		check(glob_match(pattern, name) == globs[i].match);
	}
	check(glob_error(at_page_end(pages, "a[b-")));
	check(glob_error(at_page_end(pages, "\\")));
	munmap(pages, 4 * 4096);
}

/* What the words of glob.h say, tried in every way. */
static bool model_match(const char *p, const char *name)
{
	bool negated, found = false;

	if (!*p)
		return !*name;
	if (*p == '*')
		return model_match(p + 1, name) || (*name && model_match(p, name + 1));
	if (!*name)
		return false;
	if (*p == '?')
		return model_match(p + 1, name + 1);
	if (*p == '\\')
		return p[1] == *name && model_match(p + 2, name + 1);
	if (*p != '[')
		return *p == *name && model_match(p + 1, name + 1);
	negated = p[1] == '!';
	p += 1 + negated;
	do {
		if (p[1] == '-' && p[2] != ']') {
			found |= p[0] <= *name && *name <= p[2];
			p += 3;
		} else {
			found |= *p++ == *name;
		}
	} while (*p != ']');
	return found != negated && model_match(p + 1, name + 1);
}

static void random_text(char *text, unsigned int most, const char *letters)
{
	unsigned int n = rand() % (most + 1), i;

	for (i = 0; i < n; i++)
		text[i] = letters[rand() % strlen(letters)];
	text[n] = 0;
}

static void test_glob_random(void)
{
	char pattern[16], name[16];
	unsigned int i, usable = 0, matches = 0;

	for (i = 0; i < 300000; i++) {
		random_text(pattern, 8, "aabc**??[]!-\\");
		random_text(name, 8, "aabbc]-![\\");
		if (glob_error(pattern))
			continue;
		usable++;
		matches += glob_match(pattern, name);
		if (glob_match(pattern, name) != model_match(pattern, name)) {
			fprintf(stderr, "pattern '%s' name '%s'\n", pattern, name);
			check(false);
		}
	}
	check(usable > 10000 && matches > 1000);
}

/* ---- filters ------------------------------------------------------------------- */

static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		    struct ftrace_regs *fregs)
{
}

#define NR 12
static const char *const names[NR] = {
	"schedule", "sched_tick", "time_get", "sched_time", "lock_take", "clock_read",
	"lock_free", "same", "same", "hidden", "far", "f.part.0",
};

static unsigned int hooked(const struct ftrace_ops *ops)
{
	unsigned int i, mask = 0;

	for (i = 0; i < NR; i++)
		mask |= ftrace_ops_test(ops, fake_ip(i)) << i;
	return mask;
}

#define FUNCTION(i)	(1u << (i))

static void test_names(void)
{
	struct ftrace_ops ops = { .func = nothing };

	check(ftrace_set_filter(&ops, "schedule", false) == 1);
	check(hooked(&ops) == FUNCTION(0));
	check(ftrace_set_filter(&ops, "same", false) == 2);
	check(hooked(&ops) == (FUNCTION(0) | FUNCTION(7) | FUNCTION(8)));
	check(ftrace_set_filter(&ops, "f.part.0", true) == 1);
	check(hooked(&ops) == FUNCTION(11));
	check(ftrace_set_filter(&ops, "alias11", true) == 1 && ftrace_set_filter(&ops, "alias10", true) == -EINVAL);
	check(hooked(&ops) == FUNCTION(11));
	/* Each error is named, and the old list stays, also when it was to be reset. */
	fake_printed("");
	check(ftrace_set_filter(&ops, "hidden", true) == -EINVAL);
	check(fake_printed("hidden"));
	check(ftrace_set_filter(&ops, "far", true) == -EINVAL);
	check(fake_printed("far"));
	check(ftrace_set_filter(&ops, "nobody", true) == -EINVAL);
	check(fake_printed("nobody"));
	check(ftrace_set_filter(&ops, "sche", true) == -EINVAL);
	check(ftrace_set_filter(&ops, "[a", true) == -EINVAL);
	check(fake_printed("'[a'"));
	check(ftrace_set_filter(&ops, "", true) == -EINVAL);
	check(ftrace_set_filter(&ops, "zzz*", true) == -ENOENT);
	check(ftrace_set_filter(&ops, "hid*", true) == -ENOENT);
	check(ftrace_set_filter(&ops, NULL, false) == -EINVAL);
	check(hooked(&ops) == FUNCTION(11));
	/* A glob takes what is traceable and says how many. */
	check(ftrace_set_filter(&ops, "*", true) == NR - 2);
	check(ftrace_set_filter(&ops, NULL, true) == 0);
	check(hooked(&ops) == (1u << NR) - 1);
	ftrace_free_filter(&ops);
}

static void test_addresses(void)
{
	struct ftrace_ops ops = { .func = nothing };
	char text[40];

	snprintf(text, sizeof(text), "0x%lx", fake_ip(3));
	check(ftrace_set_filter(&ops, text, false) == 1);
	snprintf(text, sizeof(text), "0X%lX", fake_ip(4));
	check(ftrace_set_filter(&ops, text, false) == 1);
	check(hooked(&ops) == (FUNCTION(3) | FUNCTION(4)));
	check(ftrace_set_filter(&ops, "0x", false) == -EINVAL);
	check(ftrace_set_filter(&ops, "0x12g", false) == -EINVAL);
	check(ftrace_set_filter(&ops, "0x10000000000000000", false) == -EINVAL);
	snprintf(text, sizeof(text), "0x%lx", fake_ip(3) + 8);
	check(ftrace_set_filter(&ops, text, false) == -EINVAL);
	check(ftrace_set_filter_ip(&ops, fake_ip(9), false, false) == -EINVAL);
	check(ftrace_set_filter_ip(&ops, fake_ip(10), false, false) == -EINVAL);
	check(ftrace_set_filter_ip(&ops, fake_ip(5), false, false) == 0);
	check(ftrace_set_filter_ip(&ops, fake_ip(3), true, false) == 0);
	check(ftrace_set_filter_ip(&ops, fake_ip(3), true, false) == -ENOENT);
	check(hooked(&ops) == (FUNCTION(4) | FUNCTION(5)));
	check(ftrace_set_filter_ip(&ops, fake_ip(6), false, true) == 0);
	check(hooked(&ops) == FUNCTION(6));
	check(ftrace_set_filter_ip(&ops, fake_ip(6), true, false) == -EINVAL);
	check(hooked(&ops) == FUNCTION(6));
	ftrace_free_filter(&ops);
}

/* All or none; and those that cannot be patched are in no list, and in no op without one. */
static void test_many_addresses(void)
{
	unsigned long ips[] = { fake_ip(3), fake_ip(4), fake_ip(3) };
	unsigned long bad[] = { fake_ip(9), fake_ip(10), fake_ip(5) + 4, 1 };
	struct ftrace_ops ops = { .func = nothing };

	check(ftrace_set_filter_ips(&ops, ips, 3, false) == 0);
	check(hooked(&ops) == (FUNCTION(3) | FUNCTION(4)));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		ips[1] = bad[i];
		check(ftrace_set_filter_ips(&ops, ips, 3, i % 2) == -EINVAL);
		check(hooked(&ops) == (FUNCTION(3) | FUNCTION(4)));
	}
	ips[1] = fake_ip(5);
	check(ftrace_set_filter_ips(&ops, ips, 2, true) == 0);
	check(hooked(&ops) == (FUNCTION(3) | FUNCTION(5)));
	check(ftrace_set_filter_ips(&ops, ips, 0, true) == -EINVAL);
	ftrace_free_filter(&ops);
	check(register_ftrace_function(&ops) == 0);
	check(fake_call(8) && !fake_call(10));
	check(unregister_ftrace_function(&ops) == 0);
}

static void test_notrace_wins(void)
{
	struct ftrace_ops one = { .func = nothing }, two = { .func = nothing };

	/* The union of two pairs is not the pair of the unions. */
	check(ftrace_set_filter(&one, "*sched*", false) == 3);
	check(ftrace_set_notrace(&one, "*time*", false) == 2);
	check(ftrace_set_filter(&two, "*lock*", false) == 3);
	check(ftrace_set_notrace(&two, "*clock*", false) == 1);
	check(hooked(&one) == (FUNCTION(0) | FUNCTION(1)));
	check(hooked(&two) == (FUNCTION(4) | FUNCTION(6)));
	ftrace_free_filter(&one);
	check(ftrace_set_notrace(&one, "*sched*", false) == 3);
	check(hooked(&one) == (((1u << NR) - 1) & ~(FUNCTION(0) | FUNCTION(1) | FUNCTION(3))));
	ftrace_free_filter(&one);
	ftrace_free_filter(&two);
}

static void test_contexts(void)
{
	struct ftrace_ops ops = { .func = nothing };
	unsigned long ips[] = { fake_ip(0) };
	size_t bytes = fake_bytes;

	fake_sleep_allowed = false;
	check(ftrace_set_filter(&ops, "schedule", false) == -EBUSY);
	check(ftrace_set_filter_ip(&ops, fake_ip(0), false, false) == -EBUSY);
	check(ftrace_set_filter_ips(&ops, ips, 1, false) == -EBUSY && fake_bytes == bytes);
	check(register_ftrace_function(&ops) == -EBUSY);
	check(unregister_ftrace_function(&ops) == -EBUSY);
	fake_sleep_allowed = true;
	check(unregister_ftrace_function(&ops) == -ENOENT);
	check(unregister_ftrace_function_deferred(NULL) == -EINVAL);
	check(unregister_ftrace_graph_deferred(NULL) == -EINVAL);
	/* In an interrupt before SMP, where everything may sleep, of who holds the mutex. */
	check(!ftrace_lock());
	check(register_ftrace_function(&ops) == -EBUSY && ftrace_set_filter_ips(&ops, ips, 1, false) == -EBUSY);
	ftrace_unlock();
}

/* An error at each step that may fail leaves the list as it was, and loses nothing. */
static void test_failures(void)
{
	struct ftrace_ops ops = { .func = nothing };
	unsigned int n, objects;

	check(ftrace_set_filter(&ops, "*lock*", false) == 3);
	for (n = 0; ; n++) {
		objects = fake_objects;
		fake_failed = false;
		fake_fail_after = n;
		if (ftrace_set_filter(&ops, "*", false) != -ENOMEM)
			break;
		check(fake_failed && fake_objects == objects);
		check(hooked(&ops) == (FUNCTION(4) | FUNCTION(5) | FUNCTION(6)));
	}
	check(n > 0);
	fake_fail_after = -1;
	ftrace_free_filter(&ops);
}

int main(void)
{
	srand(1);
	test_glob_table();
	test_glob_errors();
	test_glob_time();
	test_glob_over_read();
	test_glob_random();
	fake_sites(NR, names);
	fake_remove_record(9);
	site_find(fake_ip(10))->flags |= FTRACE_FL_UNREACHABLE;
	test_names();
	test_addresses();
	test_many_addresses();
	test_notrace_wins();
	test_contexts();
	test_failures();
	return check_summary();
}
