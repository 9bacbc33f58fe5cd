// SPDX-License-Identifier: MIT
/* Device registers: one access of exactly the named width, in program order. */
#pragma once

#include "base/types.h"

#if defined(__aarch64__)
/* Plain addressing only: a hypervisor cannot decode loads and stores with write-back. */
static inline u32 mmio_read32(unsigned long addr)
{
	u32 value;

	__asm__ volatile("ldr %w0, [%1]" : "=r"(value) : "r"(addr) : "memory");
	return value;
}

static inline void mmio_write32(unsigned long addr, u32 value)
{
	__asm__ volatile("str %w0, [%1]" : : "rZ"(value), "r"(addr) : "memory");
}

static inline u64 mmio_read64(unsigned long addr)
{
	u64 value;

	__asm__ volatile("ldr %0, [%1]" : "=r"(value) : "r"(addr) : "memory");
	return value;
}

static inline void mmio_write64(unsigned long addr, u64 value)
{
	__asm__ volatile("str %x0, [%1]" : : "rZ"(value), "r"(addr) : "memory");
}

static inline void mmio_write8(unsigned long addr, u8 value)
{
	__asm__ volatile("strb %w0, [%1]" : : "rZ"((u32)value), "r"(addr) : "memory");
}
#else
static inline u32 mmio_read32(unsigned long addr)
{
	return *(volatile u32 *)addr;
}

static inline void mmio_write32(unsigned long addr, u32 value)
{
	*(volatile u32 *)addr = value;
}

static inline void mmio_write8(unsigned long addr, u8 value)
{
	*(volatile u8 *)addr = value;
}
#endif
