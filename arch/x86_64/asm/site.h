// SPDX-License-Identifier: MIT
/*
 * The change of one site, inline: a batch of all sites makes them by the
 * thousands. Included by arch/arch.h, which says what the function does.
 */
#pragma once

#include "arch/poke.h"
#include "base/errno.h"

/* nop, or the call from @ip to @target. Return: false when it is out of reach. */
static always_inline bool x86_site_insn(u8 *insn, unsigned long ip, unsigned long target)
{
	static const u8 nop[] = { X86_NOP5 };
	unsigned long distance = target - (ip + ARCH_INSN_BYTES);
	s32 rel = (s32)distance;

	if (!target) {
		__builtin_memcpy(insn, nop, ARCH_INSN_BYTES);
		return true;
	}
	insn[0] = X86_CALL;
	__builtin_memcpy(insn + 1, &rel, sizeof(rel));
	return (unsigned long)(long)rel == distance;
}

static always_inline int arch_site_pokes(unsigned long ip, unsigned long old_target,
					 unsigned long new_target, struct text_poke *pokes)
{
	if (unlikely(old_target == new_target))
		return 0;
	pokes->addr = ip;
	pokes->len = ARCH_INSN_BYTES;
	if (unlikely(!x86_site_insn(pokes->old, ip, old_target) ||
		     !x86_site_insn(pokes->new, ip, new_target)))
		return -ERANGE;
	return 1;
}
