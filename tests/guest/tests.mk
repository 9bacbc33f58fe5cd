# SPDX-License-Identifier: MIT
# Flags of single test files.

# Landing pads at function entries, where the ISA has them. The product has none.
CFLAGS_tests/guest/records_pads.c = $(PADS_$(ARCH))
PADS_x86_64 = -fcf-protection=full
PADS_arm64 = -mbranch-protection=standard

# Clones of functions for constant arguments, and cold parts apart.
CFLAGS_tests/guest/records_clones.c = -O3 $(COLD_$(ARCH))
COLD_arm64 = -freorder-blocks-and-partition
COLD_x86_64 = -freorder-blocks-and-partition

# The same functions in other code: small and unaligned; another stack frame than the rest has. The
# caller in Thumb state has no sites: Thumb code is not traced.
CFLAGS_tests/guest/calls_size.c = -Os
CFLAGS_REMOVE_tests/guest/calls_size.c = -O2 -falign-functions=16
CFLAGS_tests/guest/calls_frames.c = $(FRAMES_$(ARCH))
CFLAGS_REMOVE_tests/guest/calls_frames.c = $(NO_FRAMES_$(ARCH))
FRAMES_arm = -mapcs-frame
FRAMES_arm64 = -O3 $(if $(filter pg,$(FLAVOUR)),,-fomit-frame-pointer)
FRAMES_x86_64 = -O3
NO_FRAMES_arm64 = -fno-omit-frame-pointer
CFLAGS_tests/guest/arm/calls_thumb.c = -mthumb
CFLAGS_REMOVE_tests/guest/arm/calls_thumb.c = -marm
NOTRACE_SOURCES += tests/guest/arm/calls_thumb.c
CFLAGS_tests/guest/arm64/pac_functions.c = $(PADS_arm64)

# The compiler leaves out frames, or makes them late, only where a function has no site.
NOTRACE_SOURCES += tests/guest/x86_64/unwind.c
