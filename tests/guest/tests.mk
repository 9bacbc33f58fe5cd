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
