# SPDX-License-Identifier: MIT
# Kernel files without call sites: what tracing itself stands on while it runs, that is, all that
# base/host.h reaches. A name is relative to kernel/, % stands for any text.
KERNEL_NOTRACE = host.c lock.c sched.c smp.c mm.c kalloc.c console.c fault.c $(ARCH)/%
