// SPDX-License-Identifier: MIT
/*
 * The A32 instructions that the port writes and recognises, as words.
 *
 * Pure arithmetic, no instruction in asm: the host's tests compile it too. Encodings: ARM ARM
 * (DDI 0100), chapter A4. Registers by number; offsets in bytes.
 */
#pragma once

#include "base/types.h"

#define A32_NOP		0xe1a00000u	/* mov r0, r0 */
#define A32_PUSH_LR	0xe52de004u	/* str lr, [sp, #-4]! */
#define A32_POP_LR	0xe49de004u	/* ldr lr, [sp], #4 */
#define A32_SWAP_LR	0xe10de09eu	/* swp lr, lr, [sp] */
#define A32_SKIP	0xea000000u	/* b .+8 */
#define A32_B		0xea000000u
#define A32_BL		0xeb000000u
#define A32_BEQ		0x0a000000u
#define A32_COUNT	0xe28ee001u	/* add lr, lr, #1: occurs in counting windows only */
#define A32_BREAKPOINT	0xe7f001f8u	/* in the space that stays undefined */
#define A32_TRAP	0xe7f001f0u	/* likewise: unused code */
#define A32_FP		11u
#define A32_IP		12u
#define A32_SP		13u
#define A32_LR		14u
#define A32_PC		15u

#define A32_BIT(reg)	(1u << (reg))

static inline u32 a32_word(const u8 *insn)
{
	u32 word;

	if (((uintptr_t)insn & 3) == 0)		/* ARMv5 loads words only from there */
		return *(const u32 *)insn;
	__builtin_memcpy(&word, insn, sizeof(word));
	return word;
}

/* The instruction of text at @pc. */
static inline u32 a32_at(unsigned long pc)
{
	return *(const u32 *)pc;
}

static inline bool a32_is_b(u32 insn)
{
	return (insn & 0xff000000) == A32_B;
}

static inline bool a32_is_bl(u32 insn)
{
	return (insn & 0xff000000) == A32_BL;
}

/* May a branch at @from go to @to? It counts from the second next instruction. */
static inline bool a32_in_reach(unsigned long from, unsigned long to)
{
	long distance = (long)(to - from - 8);

	return !(distance & 3) && distance >= -(1L << 25) && distance < (1L << 25);
}

/* @opcode is A32_B or A32_BL; the caller has asked a32_in_reach(). */
static inline u32 a32_branch(u32 opcode, unsigned long from, unsigned long to)
{
	/* In a register, not as an immediate: then the shift costs no instruction of its own. */
	__asm__("" : "+r"(opcode));
	return opcode | (u32)(to - from - 8) << 6 >> 8;
}

static inline unsigned long a32_branch_target(u32 insn, unsigned long from)
{
	s32 words = (s32)(insn << 8) >> 8;

	return from + 8 + (unsigned long)((long)words * 4);
}

/* stmdb sp!, ldmia sp!, ldmia sp; stmia of any base, which stays */
#define a32_push(list)		(0xe92d0000u | (list))
#define a32_pop(list)		(0xe8bd0000u | (list))
#define a32_ldm_sp(list)	(0xe89d0000u | (list))

static inline u32 a32_stm(unsigned int rn, u32 list)
{
	return 0xe8800000 | rn << 16 | list;
}

static inline u32 a32_ldr(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xe5900000 | rn << 16 | rt << 12 | offset;
}

static inline u32 a32_str(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xe5800000 | rn << 16 | rt << 12 | offset;
}

/* ldr rt, literal at @offset from the instruction, 4 or more; pc is 8 ahead, so the word behind it lies below pc */
static inline u32 a32_ldr_literal(unsigned int rt, unsigned int offset)
{
	return offset < 8 ? 0xe5100000 | A32_PC << 16 | rt << 12 | (8 - offset) : a32_ldr(rt, A32_PC, offset - 8);
}

/* @value < 256 */
static inline u32 a32_add(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0xe2800000 | rn << 16 | rd << 12 | value;
}

static inline u32 a32_sub(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0xe2400000 | rn << 16 | rd << 12 | value;
}

static inline u32 a32_bic(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0xe3c00000 | rn << 16 | rd << 12 | value;
}

static inline u32 a32_mov(unsigned int rd, unsigned int rm)
{
	return 0xe1a00000 | rd << 12 | rm;
}

static inline u32 a32_blx(unsigned int rm)
{
	return 0xe12fff30 | rm;
}

static inline u32 a32_mrs_cpsr(unsigned int rd)
{
	return 0xe10f0000 | rd << 12;
}

/* The flags only. */
static inline u32 a32_msr_flags(unsigned int rm)
{
	return 0xe128f000 | rm;
}

static inline u32 a32_ldrb(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xe5d00000 | rn << 16 | rt << 12 | offset;
}

static inline u32 a32_strb(unsigned int rt, unsigned int rn, unsigned int offset)
{
	return 0xe5c00000 | rn << 16 | rt << 12 | offset;
}

/* mov rd, #value and the like; @value < 256 */
static inline u32 a32_mov_value(unsigned int rd, unsigned int value)
{
	return 0xe3a00000 | rd << 12 | value;
}

static inline u32 a32_cmp_value(unsigned int rn, unsigned int value)
{
	return 0xe3500000 | rn << 16 | value;
}

/* rd = value - rn, flags set */
static inline u32 a32_rsbs(unsigned int rd, unsigned int rn, unsigned int value)
{
	return 0xe2700000 | rn << 16 | rd << 12 | value;
}

/* ---- what prologues and epilogues are made of, under any condition ---- */

/* Value of an instruction's rotated 8-bit immediate. */
static inline unsigned int a32_immediate(u32 insn)
{
	unsigned int value = insn & 0xff, by = insn >> 8 & 15;

	return by ? value >> 2 * by | value << (32 - 2 * by) : value;
}

static inline bool a32_is_push(u32 insn)	/* stmdb sp!, {...} */
{
	return (insn & 0x0fff0000) == 0x092d0000;
}

static inline bool a32_is_push_one(u32 insn)	/* str rt, [sp, #-n]! */
{
	return (insn & 0x0fff0000) == 0x052d0000;
}

static inline bool a32_is_pop(u32 insn)	/* ldmia sp!, {...} */
{
	return (insn & 0x0fff0000) == 0x08bd0000;
}

static inline bool a32_is_pop_one(u32 insn)	/* ldr rt, [sp], #n */
{
	return (insn & 0x0fff0000) == 0x049d0000;
}

static inline bool a32_is_sub_sp(u32 insn)	/* sub sp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x024dd000;
}

static inline bool a32_is_add_sp(u32 insn)	/* add sp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x028dd000;
}

static inline bool a32_is_sub_sp_fp(u32 insn)	/* sub sp, fp, #n */
{
	return (insn & 0x0ffff000) == 0x024bd000;
}

static inline bool a32_is_add_fp(u32 insn)	/* add fp, sp, #n */
{
	return (insn & 0x0ffff000) == 0x028db000;
}
