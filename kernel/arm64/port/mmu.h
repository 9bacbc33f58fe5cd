// SPDX-License-Identifier: MIT
/*
 * Values of the MMU's registers and of translation table entries, for C and
 * assembly. 4 KiB pages, 39-bit addresses: three levels of 512 entries, each
 * first-level entry 1 GiB, second-level 2 MiB.
 */
#pragma once

/* MAIR: index 0 device nGnRnE, 1 normal write-back. */
#define MAIR_DEVICE		0
#define MAIR_NORMAL		1
#define MAIR_VALUE		0xff00

#define TCR_T0SZ(bits)		(64 - (bits))
#define TCR_T1SZ(bits)		((64 - (bits)) << 16)
#define TCR_TTBR0_WB		((1 << 8) | (1 << 10) | (3 << 12))	/* walks: write-back, inner shareable */
#define TCR_TTBR1_WB		((1 << 24) | (1 << 26) | (3 << 28))
#define TCR_EPD1		(1 << 23)	/* no walks for the upper half */
#define TCR_TG1_4K		0x80000000
#define TCR_IPS_SHIFT		32

#define SCTLR_RES1		0x30d00800
#define SCTLR_M			(1 << 0)
#define SCTLR_C			(1 << 2)
#define SCTLR_SA		(1 << 3)
#define SCTLR_I			(1 << 12)
#define SCTLR_WXN		(1 << 19)
#define SCTLR_EARLY		(SCTLR_RES1 | SCTLR_M | SCTLR_C | SCTLR_SA | SCTLR_I)
#define SCTLR_FINAL		(SCTLR_EARLY | SCTLR_WXN)

#define PTE_VALID		(1 << 0)
#define PTE_TABLE		(3 << 0)	/* at level 1 and 2: next level */
#define PTE_PAGE		(3 << 0)	/* at level 3 */
#define PTE_BLOCK		(1 << 0)	/* at level 1 and 2 */
#define PTE_ATTR(index)		((index) << 2)
#define PTE_RDONLY		(1 << 7)
#define PTE_INNER		(3 << 8)
#define PTE_AF			(1 << 10)
#define PTE_NOT_GLOBAL		(1 << 11)
#define PTE_PXN_BIT		53
#define PTE_UXN_BIT		54

#ifndef __ASSEMBLY__
#define PTE_PXN			(1ul << PTE_PXN_BIT)
#define PTE_UXN			(1ul << PTE_UXN_BIT)
#define PTE_ADDR		0x0000fffffffff000ul
#endif
