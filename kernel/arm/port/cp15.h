// SPDX-License-Identifier: MIT
/* CP15 operations of the ARM926EJ-S that more than one file of the port uses (TRM DDI 0198, chapter 2). */
#pragma once

#include "base/types.h"

#define SCTLR_MMU		(1u << 0)
#define SCTLR_ALIGN		(1u << 1)	/* a misaligned access faults */
#define SCTLR_DCACHE		(1u << 2)
#define SCTLR_SYSTEM		(1u << 8)	/* S: AP=00 is privileged read-only ... */
#define SCTLR_ROM		(1u << 9)	/* R: ... while R is clear */
#define SCTLR_ICACHE		(1u << 12)
#define SCTLR_HIGH_VECTORS	(1u << 13)

#define CACHE_LINE		32

static inline u32 sctlr_read(void)
{
	u32 value;

	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(value));
	return value;
}

static inline void sctlr_write(u32 value)
{
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0" : : "r"(value) : "memory");
}

/* Write one line back, it stays valid; complete after cache_drain(). */
static inline void dcache_clean_line(const void *p)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c10, 1" : : "r"(p) : "memory");
}

static inline void dcache_clean_invalidate_line(const void *p)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c14, 1" : : "r"(p) : "memory");
}

/* Drain the write buffer: every store so far is in memory. */
static inline void cache_drain(void)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c10, 4" : : "r"(0) : "memory");
}

static inline void icache_invalidate(void)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c5, 0" : : "r"(0) : "memory");
}

/* Forget everything both caches hold, dirty lines too: before they are switched on. */
static inline void caches_invalidate(void)
{
	__asm__ volatile("mcr p15, 0, %0, c7, c7, 0" : : "r"(0) : "memory");
}

static inline void tlb_invalidate(void)
{
	__asm__ volatile("mcr p15, 0, %0, c8, c7, 0" : : "r"(0) : "memory");
}

static inline void tlb_invalidate_page(unsigned long addr)
{
	__asm__ volatile("mcr p15, 0, %0, c8, c7, 1" : : "r"(addr) : "memory");
}
