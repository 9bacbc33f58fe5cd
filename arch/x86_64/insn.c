// SPDX-License-Identifier: MIT
/* Encoders of x86-64's patchable instructions: nop5, int3, call rel32, jmp rel32. */
#include "arch/arch.h"

#include "base/errno.h"
#include "base/string.h"

#define OPCODE_CALL	0xe8
#define OPCODE_JUMP	0xe9
#define OPCODE_INT3	0xcc

void arch_insn_nop(u8 *insn)
{
	static const u8 nop5[ARCH_INSN_BYTES] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	memcpy(insn, nop5, sizeof(nop5));
}

void arch_insn_breakpoint(u8 *insn)
{
	insn[0] = OPCODE_INT3;
}

/* The displacement counts from the end of the instruction. */
static int encode(u8 *insn, u8 opcode, unsigned long from, unsigned long to)
{
	unsigned long distance = to - (from + ARCH_INSN_BYTES);
	s32 rel = (s32)distance;

	if ((unsigned long)(long)rel != distance)
		return -ERANGE;
	insn[0] = opcode;
	memcpy(insn + 1, &rel, sizeof(rel));
	return 0;
}

int arch_insn_call(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, OPCODE_CALL, from, to);
}

int arch_insn_jump(u8 *insn, unsigned long from, unsigned long to)
{
	return encode(insn, OPCODE_JUMP, from, to);
}

unsigned long arch_insn_target(const u8 *insn, unsigned long from)
{
	s32 rel;

	if (insn[0] != OPCODE_CALL && insn[0] != OPCODE_JUMP)
		return 0;
	memcpy(&rel, insn + 1, sizeof(rel));
	return from + ARCH_INSN_BYTES + (unsigned long)(long)rel;
}

/* The manual allows no replacement of five bytes under running CPUs. */
bool arch_insn_swappable(const u8 *insn)
{
	return false;
}
