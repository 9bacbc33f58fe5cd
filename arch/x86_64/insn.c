// SPDX-License-Identifier: MIT
/* Encoders of x86-64's patchable instructions: nop5, int3, call rel32, jmp rel32. */
#include "arch/arch.h"

#include "base/errno.h"

void arch_insn_nop(u8 *insn)
{
	static const u8 nop5[ARCH_INSN_BYTES] = { X86_NOP5 };

	__builtin_memcpy(insn, nop5, sizeof(nop5));
}

void arch_insn_breakpoint(u8 *insn)
{
	insn[0] = X86_INT3;
}

/* The displacement counts from the end of the instruction. */
static int encode(u8 *insn, u8 opcode, unsigned long from, unsigned long to)
{
	unsigned long distance = to - (from + ARCH_INSN_BYTES);
	s32 rel = (s32)distance;

	if ((unsigned long)(long)rel != distance)
		return -ERANGE;
	insn[0] = opcode;
	__builtin_memcpy(insn + 1, &rel, sizeof(rel));
	return 0;
}

int arch_insn_call(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, X86_CALL, from, to);
}

int arch_insn_jump(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, X86_JUMP, from, to);
}

unsigned long arch_insn_target(const u8 *insn, unsigned long from)
{
	s32 rel;

	if (insn[0] != X86_CALL && insn[0] != X86_JUMP)
		return 0;
	__builtin_memcpy(&rel, insn + 1, sizeof(rel));
	return from + ARCH_INSN_BYTES + (unsigned long)(long)rel;
}

/* The manual allows no replacement of five bytes under running CPUs. */
bool arch_insn_swappable(const u8 *insn)
{
	return false;
}
