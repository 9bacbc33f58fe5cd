# SPDX-License-Identifier: MIT
# Kernel files without call sites: what tracing itself stands on while it runs. A name is relative
# to kernel/, % stands for any text.
KERNEL_NOTRACE = host.c $(ARCH)/%
