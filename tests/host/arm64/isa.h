// SPDX-License-Identifier: MIT
/* What tests/host/arms/insns.c must know of arm64. */
#pragma once

#include "arch/arch.h"

/* From the instruction itself: 128 MB down, one instruction less up. */
#define ISA_LOWEST	(-(1L << 27))
#define ISA_HIGHEST	((1L << 27) - 4)

struct isa_other {
	const char *text;
	void (*encode)(u8 *insn);
	bool swappable;
	bool is_branch;
};

#define ISA_OTHERS { \
	{ "nop", arch_insn_nop, true }, \
	{ "brk #0xb7e", arch_insn_breakpoint, true }, \
	{ "brk #0", .swappable = true }, { "brk #0xffff", .swappable = true }, \
	{ "hvc #0", .swappable = true }, { "hvc #0xffff", .swappable = true }, \
	{ "smc #0", .swappable = true }, { "svc #0", .swappable = true }, \
	{ "svc #0xffff", .swappable = true }, { "isb", .swappable = true }, \
	{ "b .", .swappable = true, .is_branch = true }, \
	{ "bl . - 4", .swappable = true, .is_branch = true }, \
	{ "mov x9, x30" }, { "ret" }, { "br x16" }, { "blr x16" }, { "b.eq ." }, { "cbz x0, ." }, \
	{ "tbz x0, #3, ." }, { "dsb ish" }, { "dmb ish" }, { "wfi" }, { "yield" }, { "hint #34" }, \
	{ "hlt #0" }, { "eret" }, { "dcps1" }, { "adr x0, ." }, { "ldr x0, ." }, { "clrex" }, \
	{ ".word 0" }, \
}

static inline unsigned long isa_link(const struct pt_regs *regs)
{
	return regs->x[30];
}
