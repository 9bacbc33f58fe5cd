# SPDX-License-Identifier: MIT
# ARMv5, ARM state: how to call the compiler, and what each flavour of call site is made with.
CROSS_COMPILE = arm-none-eabi-
FLAVOURS = pfe pg none

# The unwinder reads the tables that -funwind-tables makes. Soft float: no register of a
# coprocessor is ever used, so GENERAL_REGS has nothing to add.
ARCH_CFLAGS = -marm -mcpu=arm926ej-s -mfloat-abi=soft -funwind-tables
ARCH_ASFLAGS = -marm -mcpu=arm926ej-s -mfloat-abi=soft
GENERAL_REGS =
TRACE_pfe = -fpatchable-function-entry=2
TRACE_pg = -pg
MCOUNT_pg = __gnu_mcount_nc

# One unwind entry a function, also where neighbours have the same: the unwinder refuses an entry
# that began in another function, since assembly without a table stands between.
# --use-blx: calls between ARM and Thumb code are blx, not by way of veneers, whose order would differ
# from link to link.
ARCH_LDFLAGS = -m armelf --use-blx -n -z max-page-size=4096 -z noexecstack --no-merge-exidx-entries
LIBGCC := $(shell $(CROSS_COMPILE)gcc $(ARCH_ASFLAGS) -print-libgcc-file-name 2>/dev/null)

# Debian has newlib for this target: nothing to build, and its headers are the compiler's own.
LIBC := $(shell $(CROSS_COMPILE)gcc $(ARCH_ASFLAGS) -print-file-name=libc.a 2>/dev/null)
LIBC_CFLAGS =

# How far a branch goes, as in <asm/insn.h>.
BRANCH_REACH = 0x2000000
