// SPDX-License-Identifier: MIT
/* Encoders of arm64's patchable instructions: nop, brk, bl, b. */
#include "arch/arch.h"

#include "a64.h"
#include "base/errno.h"

static void put(u8 *insn, u32 word)
{
	__builtin_memcpy(insn, &word, sizeof(word));
}

void arch_insn_nop(u8 *insn)
{
	put(insn, A64_NOP);
}

void arch_insn_breakpoint(u8 *insn)
{
	put(insn, A64_BRK | A64_BRK_IMM << 5);
}

static int encode(u8 *insn, u32 opcode, unsigned long from, unsigned long to)
{
	if (!a64_in_reach(from, to))
		return -ERANGE;
	put(insn, a64_branch(opcode, from, to));
	return 0;
}

int arch_insn_call(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, A64_BL, from, to);
}

int arch_insn_jump(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, A64_B, from, to);
}

unsigned long arch_insn_target(const u8 *insn, unsigned long from)
{
	u32 word = a64_word(insn);

	if (!a64_is_b(word) && !a64_is_bl(word))
		return 0;
	return a64_branch_target(word, from);
}

/* Arm ARM (DDI 0487) B2.2.5, concurrent modification and execution of instructions. */
bool arch_insn_swappable(const u8 *insn)
{
	u32 word = a64_word(insn);

	if (a64_is_b(word) || a64_is_bl(word) || word == A64_NOP)
		return true;
	switch (word & 0xffe0001f) {
	case 0xd4000001:	/* svc */
	case 0xd4000002:	/* hvc */
	case 0xd4000003:	/* smc */
	case 0xd4200000:	/* brk */
		return true;
	}
	return (word & 0xfffff0ff) == 0xd50330df;	/* isb */
}
