// SPDX-License-Identifier: MIT
/*
 * Call sites of ARMv5, in ARM state: two words; `pfe` has them at a function's
 * entry, in front of everything, `pg` behind its prologue.
 *
 *			word 1		word 2
 *	compiled pfe	nop		nop
 *	compiled pg	push {lr}	bl __gnu_mcount_nc
 *	off		b .+8		bl arm_ftrace_stub
 *	on		push {lr}	bl trampoline
 *
 * A context can be stopped between the words, after the push, for any time. So
 * word 2 is a call at all times once the site is initialised, and each mix of
 * old and new words is right: `b .+8` with any call is off, and so is a push
 * with the stub behind it, which undoes the push. The words may therefore change
 * in either order; they are given in that of their addresses, so that a queue
 * that is filled in record order stays sorted.
 *
 * lr is pushed, not moved to ip: a nested function reads its static chain in ip
 * right behind the site.
 *
 * Thumb functions have no sites: a record in one is refused by its bytes, for
 * the symbol table has no bit for the state.
 */
#include "arch/arch.h"

#include "base/errno.h"
#include "base/host.h"
#include "base/string.h"
#include "site_words.h"

const char arch_site_flavour[] = FLAVOUR;

#define THUMB_NOP	0x46c0	/* mov r8, r8 */

static u32 text_word(unsigned long addr)
{
	return *(const u32 *)addr;
}

static bool is_thumb(unsigned long ip)
{
	return ip & 2 || (*(const u16 *)ip == THUMB_NOP && *(const u16 *)(ip + 2) == THUMB_NOP);
}

#ifdef FLAVOUR_pg

static bool at_place(unsigned long ip, const struct kallsym *sym)
{
	return true;
}

static bool has_bytes(unsigned long ip)
{
	u32 call = text_word(ip + CALL_OFFSET);

	return text_word(ip) == A32_PUSH_LR && a32_is_bl(call) &&
	       a32_branch_target(call, ip + CALL_OFFSET) == (unsigned long)__gnu_mcount_nc;
}

#else

static bool at_place(unsigned long ip, const struct kallsym *sym)
{
	return ip == sym->addr;
}

static bool has_bytes(unsigned long ip)
{
	return text_word(ip) == A32_NOP && text_word(ip + CALL_OFFSET) == A32_NOP;
}

#endif

int arch_site_check(unsigned long ip, const struct kallsym *sym)
{
	if (ip & 1 || ip < sym->addr || ip + SITE_LENGTH > sym->addr + sym->size)
		return -EINVAL;
	if (is_thumb(ip))
		return -EOPNOTSUPP;
	return at_place(ip, sym) && has_bytes(ip) ? 0 : -EINVAL;
}

int arch_site_init(unsigned long ip)
{
	static const u32 skip = A32_SKIP;
	unsigned long call = ip + CALL_OFFSET, stub = (unsigned long)arm_ftrace_stub;
	size_t pool_bytes;
	unsigned long pool = host_code_pool(&pool_bytes);
	u32 call_stub = a32_branch(A32_BL, call, stub);

	if (!a32_in_reach(call, pool) || !a32_in_reach(call, pool + pool_bytes - ARCH_INSN_BYTES) ||
	    !a32_in_reach(call, stub))
		return -ERANGE;
	arch_text_write(call, (const u8 *)&call_stub, sizeof(call_stub));
	arch_text_write(ip, (const u8 *)&skip, sizeof(skip));
	return SITE_LENGTH;
}

bool arch_site_reaches(unsigned long ip, unsigned long target)
{
	return !target || a32_in_reach(ip + CALL_OFFSET, target);
}

/* ---- changes: both words of a site ---- */

static void make_poke(struct text_poke *poke, unsigned long addr, u32 old, u32 new)
{
	poke->addr = addr;
	poke->len = ARCH_INSN_BYTES;
	memcpy(poke->old, &old, sizeof(old));
	memcpy(poke->new, &new, sizeof(new));
}

unsigned int arch_site_pokes(unsigned long ip, unsigned long old_target,
			     unsigned long new_target, struct text_poke *pokes)
{
	make_poke(&pokes[0], ip, first_word(old_target), first_word(new_target));
	make_poke(&pokes[1], ip + CALL_OFFSET, second_word(ip, old_target), second_word(ip, new_target));
	return 2;
}
