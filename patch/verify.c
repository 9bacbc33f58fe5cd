// SPDX-License-Identifier: MIT
/*
 * Is a batch what it should be? Sorted by address, no two changes overlap, and
 * text holds the bytes that each of them expects. Reads only.
 */
#include "patch/method.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/kallsyms.h"
#include "base/print.h"
#include "base/sort.h"
#include "base/string.h"

static int compare_pokes(const void *a, const void *b)
{
	const struct text_poke *p = a, *q = b;

	return p->addr < q->addr ? -1 : p->addr > q->addr;
}

static void print_bytes(const char *what, const u8 *bytes, unsigned int len)
{
	char text[3 * ARCH_INSN_BYTES + 1];
	int at = 0;

	for (unsigned int i = 0; i < len; i++)
		at += format(text + at, sizeof(text) - at, " %02x", bytes[i]);
	pr_info("  %s%s\n", what, text);
}

static void print_problem(const struct text_poke *poke, const char *problem)
{
	char name[128];

	kallsyms_format(name, sizeof(name), poke->addr);
	pr_err("text_poke: %s at 0x%lx (%s)\n", problem, poke->addr, name);
}

/* The usual length is a constant for the compiler, which then compares words. */
static always_inline bool same_bytes(const u8 *a, const u8 *b, unsigned int len)
{
	if (likely(len == ARCH_INSN_BYTES))
		return __builtin_memcmp(a, b, ARCH_INSN_BYTES) == 0;
	return memcmp(a, b, len) == 0;
}

/* The check that runs; protected by text_mutex. */
static struct text_poke_check *check;

/* Reads through the alias: with virtual caches it is the view that was written last. */
static void verify_slice(const struct text_poke *poke, const struct text_poke *end)
{
	unsigned long free_from = check->end;
	unsigned long bytes = 0, crossing = 0;

	for (; poke < end; poke++) {
		unsigned long addr = poke->addr;
		unsigned int len = poke->len;

		if (unlikely(addr < free_from)) {
			check->overlap = poke;
			break;
		}
		if (unlikely(!same_bytes(host_text_alias(addr), poke->old, len))) {
			check->mismatch = poke;
			memcpy(check->found, host_text_alias(addr), len);
			break;
		}
		free_from = addr + len;
		bytes += len;
		if (unlikely(arch_text_crosses(addr, len)))
			crossing++;
	}
	check->end = free_from;
	check->bytes += bytes;
	check->crossing += crossing;
}

/* A slice that follows a failure has nothing to find any more. */
static void verify_next_slice(const struct text_poke *poke, const struct text_poke *end)
{
	if (!check->overlap && !check->mismatch)
		verify_slice(poke, end);
}

static void verify_all(const struct text_poke_batch *batch)
{
	memset(check, 0, sizeof(*check));
	text_poke_each_slice(batch, verify_next_slice);
}

/* An append out of order looks like an overlap: sorting tells them apart. */
int text_poke_verify(struct text_poke_batch *batch, struct text_poke_check *result)
{
	check = result;
	verify_all(batch);
	if (result->overlap) {
		sort(batch->pokes, batch->nr, sizeof(*batch->pokes), compare_pokes);
		verify_all(batch);
	}
	if (result->overlap) {
		print_problem(result->overlap, "two changes of one batch overlap");
		return -EBUSY;
	}
	if (result->mismatch) {
		print_problem(result->mismatch, "bytes are not as expected");
		print_bytes("expected", result->mismatch->old, result->mismatch->len);
		print_bytes("found   ", result->found, result->mismatch->len);
		return -EINVAL;
	}
	return 0;
}
