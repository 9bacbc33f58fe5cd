// SPDX-License-Identifier: MIT
/*
 * The command line: words k=v split in place, quotes removed.
 *
 * A key that nobody asks for is most likely misspelt: a job that can say beforehand which keys it
 * knows has the others refused; for the rest asking is remembered.
 */
#include "kernel/cmdline.h"

#include "base/print.h"
#include "base/string.h"
#include "kernel/board.h"
#include "kernel/machine.h"

#define MAX_WORDS	64

struct word {
	const char *key, *value;
	bool used;
};

static struct word words[MAX_WORDS];
static unsigned int nr_words, nr_ignored;

/* What the kernel itself asks for, whatever the job. */
static const char *const kernel_keys[] = {
	"bench", "test", "smp", "poke_method", "poke_batch", "completion", "patch_touch", NULL,
};

/* Return: the quote that was left open, 0 when all is well. @end is where the next word may begin. */
static char unquote(char *p, char **end)
{
	char *out = p;
	char quote = 0;

	for (; *p && (quote || (*p != ' ' && *p != '\t' && *p != '\n')); p++) {
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			*out++ = *p;
	}
	*end = *p ? p + 1 : p;
	*out = '\0';
	return quote;
}

static void add_word(char *word, char open_quote)
{
	char *value = strchr(word, '=');

	if (open_quote || value == word) {
		pr_info("command line: '%s' ignored: %s\n", word,
			open_quote ? "its quote is not closed" : "no key before '='");
		nr_ignored++;
		return;
	}
	if (nr_words == MAX_WORDS) {
		pr_info("command line: '%s' ignored: more than %u words\n", word, MAX_WORDS);
		nr_ignored++;
		return;
	}
	if (value)
		*value++ = '\0';
	words[nr_words++] = (struct word){ .key = word, .value = value ? value : "" };
}

void cmdline_init(void)
{
	char *p = machine.cmdline;
	char *word, quote;

	for (;;) {
		while (*p == ' ' || *p == '\t' || *p == '\n')
			p++;
		if (!*p)
			return;
		word = p;
		quote = unquote(word, &p);
		if (*word)
			add_word(word, quote);
	}
}

const char *cmdline_get(const char *key, const char *fallback)
{
	for (unsigned int i = 0; i < nr_words; i++) {
		if (strcmp(words[i].key, key) == 0) {
			words[i].used = true;
			fallback = words[i].value;
		}
	}
	return fallback;
}

/* Return: false when @text is no number or one too large. */
static bool parse_number(const char *text, unsigned long *number)
{
	unsigned int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	unsigned long n = 0, digit;

	if (base == 16)
		text += 2;
	if (!*text)
		return false;
	for (; *text; text++) {
		char c = *text | 0x20;

		digit = c >= '0' && c <= '9' ? (unsigned long)c - '0' :
			c >= 'a' && c <= 'f' ? (unsigned long)c - 'a' + 10 : 99;
		if (digit >= base || n > (~0UL - digit) / base)
			return false;
		n = n * base + digit;
	}
	*number = n;
	return true;
}

unsigned long cmdline_number(const char *key, unsigned long fallback, unsigned long low,
			     unsigned long high)
{
	const char *text = cmdline_get(key, NULL);
	unsigned long n;

	if (!text)
		return fallback;
	if (parse_number(text, &n) && n >= low && n <= high)
		return n;
	pr_info("%s=%s: must be a number from %lu to %lu\n", key, text, low, high);
	board_exit(1);
}

static void report_unknown(const char *key)
{
	pr_info("command line: nobody knows '%s'\n", key);
}

static bool is_listed(const char *key, const char *const *keys)
{
	while (*keys && strcmp(*keys, key) != 0)
		keys++;
	return *keys;
}

static void print_keys(const char *who, const char *const *keys)
{
	pr_info("  %s knows:", who);
	for (; *keys; keys++)
		pr_info(" %s", *keys);
	pr_info("\n");
}

bool cmdline_check(const char *who, const char *const *keys)
{
	unsigned int unknown = 0;

	for (unsigned int i = 0; i < nr_words; i++) {
		if (is_listed(words[i].key, keys) || is_listed(words[i].key, kernel_keys))
			continue;
		unknown++;
		report_unknown(words[i].key);
	}
	if (unknown) {
		print_keys(who, keys);
		print_keys("the kernel", kernel_keys);
	}
	return !unknown && !nr_ignored;
}

unsigned int cmdline_report_unused(void)
{
	unsigned int unused = 0;

	for (unsigned int i = 0; i < nr_words; i++) {
		if (words[i].used)
			continue;
		unused++;
		report_unknown(words[i].key);
	}
	return unused;
}
