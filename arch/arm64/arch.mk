# SPDX-License-Identifier: MIT
# arm64: how to call the compiler, and what each flavour of call site is made with.
CROSS_COMPILE = aarch64-linux-gnu-
FLAVOURS = pfe pg none

# x18 is left alone: platforms and hosts use it as they like.
ARCH_CFLAGS = -mno-outline-atomics -mbranch-protection=none -ffixed-x18 \
	-fno-omit-frame-pointer -fno-asynchronous-unwind-tables
ARCH_ASFLAGS =
GENERAL_REGS = -mgeneral-regs-only
TRACE_pfe = -fpatchable-function-entry=2
TRACE_pg = -pg
MCOUNT_pg = _mcount

ARCH_LDFLAGS = -m aarch64elf -n -z max-page-size=4096 -z noexecstack
LIBGCC := $(shell $(CROSS_COMPILE)gcc -print-libgcc-file-name 2>/dev/null)

# How far a branch goes, as in <asm/insn.h>.
BRANCH_REACH = 0x8000000
