// SPDX-License-Identifier: MIT
/*
 * Call sites of arm64.
 *
 * Flavour `pfe`: two words at a function's entry, in front of everything, or
 * behind its landing pad.
 *
 *	compiled	nop		nop
 *	off		mov x9, x30	nop
 *	on		mov x9, x30	bl trampoline
 *
 * The first word is written once, before anybody else runs: `mov` is not among
 * the instructions that may change under running CPUs. From then on only the
 * second word changes, and x9 has the return address into the parent, whether
 * a context stands before the second word or has not come yet. x9 is a
 * temporary that no function has anything in at its entry.
 *
 * Flavour `pg`: one word behind the prologue, where x0 has the return address
 * into the parent and the compiler takes all that a call may clobber for lost.
 *
 *	compiled	bl _mcount
 *	off		nop
 *	on		bl trampoline
 */
#include "arch/arch.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

const char arch_site_flavour[] = FLAVOUR;

static u32 text_word(unsigned long addr)
{
	return *(const u32 *)addr;
}

#ifdef FLAVOUR_pg

#define WORD_OFF	A64_NOP	/* what the first word is from start-up on */
/* Words before the call in which x0 gets the parent: a variadic function stores up to 15 registers there. */
#define PARENT_WINDOW	16

void _mcount(void);

/* The compiler's scheduler may put other instructions between the two. */
static bool parent_in_x0(unsigned long ip, unsigned long entry)
{
	for (unsigned int i = 1; i <= PARENT_WINDOW && ip - i * 4 >= entry; i++)
		if (text_word(ip - i * 4) == A64_MOV_X0_X30)
			return true;
	return false;
}

static int check_bytes(unsigned long ip, const struct kallsym *sym)
{
	u32 word = text_word(ip);

	if (!a64_is_bl(word) || a64_branch_target(word, ip) != (unsigned long)_mcount)
		return -EINVAL;
	return parent_in_x0(ip, sym->addr) ? 0 : -EOPNOTSUPP;
}

static bool at_place(unsigned long ip, const struct kallsym *sym)
{
	return ip > sym->addr;
}

#else

#define WORD_OFF	A64_MOV_X9_X30

static int check_bytes(unsigned long ip, const struct kallsym *sym)
{
	return text_word(ip) == A64_NOP && text_word(ip + 4) == A64_NOP ? 0 : -EINVAL;
}

static bool at_place(unsigned long ip, const struct kallsym *sym)
{
	u32 pad = text_word(sym->addr);

	return ip == sym->addr || (ip == sym->addr + 4 && (pad == A64_BTI_C || pad == A64_BTI_JC));
}

#endif

int arch_site_check(unsigned long ip, const struct kallsym *sym)
{
	if (ip & 3 || ip < sym->addr || ip + SITE_LENGTH > sym->addr + sym->size)
		return -EINVAL;
	return at_place(ip, sym) ? check_bytes(ip, sym) : -EINVAL;
}

int arch_site_init(unsigned long ip)
{
	static const u32 word = WORD_OFF;
	unsigned long call = ip + CALL_OFFSET;
	size_t pool_bytes;
	unsigned long pool = host_code_pool(&pool_bytes);

	if (!a64_in_reach(call, pool) || !a64_in_reach(call, pool + pool_bytes - ARCH_INSN_BYTES))
		return -ERANGE;
	arch_text_write(ip, (const u8 *)&word, sizeof(word));
	return sizeof(word);
}

bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return !target || a64_in_reach(ip + CALL_OFFSET, target);
}

/* ---- changes: one word a site ---- */

unsigned int arch_site_pokes(unsigned long ip, unsigned long old_target,
			     unsigned long new_target, struct text_poke *pokes)
{
	unsigned long call = ip + CALL_OFFSET;
	u32 old = site_word(call, old_target), new = site_word(call, new_target);

	pokes->addr = call;
	pokes->len = ARCH_INSN_BYTES;
	memcpy(pokes->old, &old, sizeof(old));
	memcpy(pokes->new, &new, sizeof(new));
	return 1;
}
