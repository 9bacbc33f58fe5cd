// SPDX-License-Identifier: MIT
/*
 * The A64 instructions that the port writes and recognises, as words.
 *
 * Pure arithmetic, no asm: the host's tests compile it too. Encodings: Arm ARM
 * (DDI 0487), chapter C6. Registers by number; 31 is sp or xzr as the
 * instruction has it. Offsets in bytes.
 */
#pragma once

#include "base/types.h"

#define A64_NOP		0xd503201fu
#define A64_BTI_C	0xd503245fu
#define A64_BTI_JC	0xd50324dfu
#define A64_RET		0xd65f03c0u
#define A64_MOV_X9_X30	0xaa1e03e9u
#define A64_MOV_X0_X30	0xaa1e03e0u
#define A64_B		0x14000000u
#define A64_BL		0x94000000u
#define A64_BRK		0xd4200000u
#define A64_BRK_IMM	0xb7e		/* tells our breakpoints from others */
#define A64_SP		31u
#define A64_WZR		31u
#define A64_COUNT	0x9100056bu	/* add x11, x11, #1: occurs in counting windows only */

static inline u32 a64_word(const u8 *insn)
{
	u32 word;

	__builtin_memcpy(&word, insn, sizeof(word));
	return word;
}

static inline bool a64_is_b(u32 insn)
{
	return (insn & 0xfc000000) == A64_B;
}

static inline bool a64_is_bl(u32 insn)
{
	return (insn & 0xfc000000) == A64_BL;
}

/* May a branch at @from go to @to? The reach is one instruction longer downwards. */
static inline bool a64_in_reach(unsigned long from, unsigned long to)
{
	long distance = (long)(to - from);

	return !(distance & 3) && distance >= -(1L << 27) && distance < (1L << 27);
}

/* @opcode is A64_B or A64_BL; the caller has asked a64_in_reach(). */
static inline u32 a64_branch(u32 opcode, unsigned long from, unsigned long to)
{
	return opcode | (u32)((to - from) >> 2 & 0x3ffffff);
}

static inline unsigned long a64_branch_target(u32 insn, unsigned long from)
{
	s32 words = (s32)(insn << 6) >> 6;

	return from + (unsigned long)((long)words * 4);
}

static inline u32 a64_pair(u32 opcode, unsigned int rt, unsigned int rt2, unsigned int rn, int offset)
{
	return opcode | ((u32)(offset / 8) & 0x7f) << 15 | rt2 << 10 | rn << 5 | rt;
}

/* stp/ldp rt, rt2, [rn, #offset]; _pre: rn moves first; _post: rn moves afterwards. */
#define a64_stp(rt, rt2, rn, offset)		a64_pair(0xa9000000, rt, rt2, rn, offset)
#define a64_ldp(rt, rt2, rn, offset)		a64_pair(0xa9400000, rt, rt2, rn, offset)
#define a64_stp_pre(rt, rt2, rn, offset)	a64_pair(0xa9800000, rt, rt2, rn, offset)
#define a64_ldp_post(rt, rt2, rn, offset)	a64_pair(0xa8c00000, rt, rt2, rn, offset)

static inline u32 a64_ldr(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xf9400000 | (offset / 8) << 10 | rn << 5 | rt;
}

static inline u32 a64_add(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0x91000000 | value << 10 | rn << 5 | rd;
}

static inline u32 a64_sub(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0xd1000000 | value << 10 | rn << 5 | rd;
}

static inline u32 a64_mov(unsigned int rd, unsigned int rm)
{
	return 0xaa0003e0 | rm << 16 | rd;
}

/* ldr rt, literal at @offset from the instruction */
static inline u32 a64_ldr_literal(unsigned int rt, long offset)
{
	return 0x58000000 | ((u32)(offset / 4) & 0x7ffff) << 5 | rt;
}

static inline u32 a64_blr(unsigned int rn)
{
	return 0xd63f0000 | rn << 5;
}

static inline u32 a64_br(unsigned int rn)
{
	return 0xd61f0000 | rn << 5;
}

static inline u32 a64_ret(unsigned int rn)
{
	return 0xd65f0000 | rn << 5;
}

static inline u32 a64_mrs_nzcv(unsigned int rt)
{
	return 0xd53b4200 | rt;
}

static inline u32 a64_msr_nzcv(unsigned int rt)
{
	return 0xd51b4200 | rt;
}

static inline u32 a64_str(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xf9000000 | (offset / 8) << 10 | rn << 5 | rt;
}

/* ldrb, strb wt, [rn, #offset]; 31 is wzr */
static inline u32 a64_ldrb(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0x39400000 | offset << 10 | rn << 5 | rt;
}

static inline u32 a64_strb(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0x39000000 | offset << 10 | rn << 5 | rt;
}

/* mov wd, #value; @value < 65536 */
static inline u32 a64_movz_w(unsigned int rd, unsigned int value)
{
	return 0x52800000 | value << 5 | rd;
}

#define A64_CBZ_W	0x34000000u
#define A64_CBNZ_W	0x35000000u

/* cbz, cbnz wt, @offset from the instruction */
static inline u32 a64_cbz(u32 opcode, unsigned int rt, long offset)
{
	return opcode | ((u32)(offset / 4) & 0x7ffff) << 5 | rt;
}

static inline u32 a64_mrs_tpidr_el1(unsigned int rt)
{
	return 0xd538d080 | rt;
}

static inline u32 a64_mrs_sp_el0(unsigned int rt)
{
	return 0xd5384100 | rt;
}
