// SPDX-License-Identifier: MIT
/* Encoders of ARM's patchable instructions: nop, an undefined word, bl, b. */
#include "arch/arch.h"

#include "a32.h"
#include "base/errno.h"

static void put(u8 *insn, u32 word)
{
	__builtin_memcpy(insn, &word, sizeof(word));
}

void arch_insn_nop(u8 *insn)
{
	put(insn, A32_NOP);
}

void arch_insn_breakpoint(u8 *insn)
{
	put(insn, A32_BREAKPOINT);
}

/* A Thumb function has an odd address: bl does not change state, so it is refused. */
static int encode(u8 *insn, u32 opcode, unsigned long from, unsigned long to)
{
	if (!a32_in_reach(from, to))
		return -ERANGE;
	put(insn, a32_branch(opcode, from, to));
	return 0;
}

int arch_insn_call(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, A32_BL, from, to);
}

int arch_insn_jump(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, A32_B, from, to);
}

unsigned long arch_insn_target(const u8 *insn, unsigned long from)
{
	u32 word = a32_word(insn);

	if (!a32_is_b(word) && !a32_is_bl(word))
		return 0;
	return a32_branch_target(word, from);
}

/* ARMv5 knows no such set; there is one CPU anyway. */
bool arch_insn_swappable(const u8 *insn)
{
	return false;
}
