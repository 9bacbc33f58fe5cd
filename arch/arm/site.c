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

#include "a32.h"
#include "arm_mcount.h"
#include "base/errno.h"
#include "base/host.h"

const char arch_site_flavour[] = FLAVOUR;

#define SITE_BYTES	8
#define CALL_OFFSET	4

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
	if (ip & 1 || ip < sym->addr || ip + SITE_BYTES > sym->addr + sym->size)
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
	return SITE_BYTES;
}

static_assert(offsetof(struct text_poke, old) % 4 == 0 && offsetof(struct text_poke, new) % 4 == 0,
	      "stored as words");

static always_inline void poke(struct text_poke *p, unsigned long addr, u32 old, u32 new)
{
	p->addr = addr;
	*(u32 *)p->old = old;
	*(u32 *)p->new = new;
	p->len = ARCH_INSN_BYTES;
}

/* Word 2 goes from one target to another. */
static always_inline int retarget(struct text_poke *p, unsigned long call, unsigned long old,
				  unsigned long new)
{
	if (!a32_in_reach(call, new))
		return -ERANGE;
	poke(p, call, a32_branch(A32_BL, call, old), a32_branch(A32_BL, call, new));
	return 0;
}

/* The old target was in reach when it became the target. */
int arch_site_pokes(unsigned long ip, unsigned long old_target,
		    unsigned long new_target, struct text_poke *pokes)
{
	unsigned long call = ip + CALL_OFFSET, stub = (unsigned long)arm_ftrace_stub;

	if (old_target == new_target)
		return 0;
	if (!old_target) {
		poke(pokes, ip, A32_SKIP, A32_PUSH_LR);
		return retarget(pokes + 1, call, stub, new_target) ? : 2;
	}
	if (!new_target) {
		poke(pokes, ip, A32_PUSH_LR, A32_SKIP);
		return retarget(pokes + 1, call, old_target, stub) ? : 2;
	}
	return retarget(pokes, call, old_target, new_target) ? : 1;
}
