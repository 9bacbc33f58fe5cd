# SPDX-License-Identifier: MIT
# x86-64: how to call the compiler, and what each flavour of call site is made with.
CROSS_COMPILE = x86_64-linux-gnu-
FLAVOURS = mfentry none

# 16-byte alignment: a five-byte site at a function's start never crosses 8 bytes. Unscheduled
# prologues: the unwinder reads them.
ARCH_CFLAGS = -m64 -mno-red-zone -fcf-protection=none -fno-omit-frame-pointer \
	-fno-asynchronous-unwind-tables -fno-schedule-insns2 -falign-functions=16
ARCH_ASFLAGS = -m64
GENERAL_REGS = -mgeneral-regs-only
TRACE_mfentry = -pg -mfentry -mrecord-mcount -mnop-mcount

ARCH_LDFLAGS = -m elf_x86_64 -n -z max-page-size=4096 -z noexecstack
