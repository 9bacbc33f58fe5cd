// SPDX-License-Identifier: MIT
/* The Arm generic timer (Arm ARM, chapter D12). */
#include "boards/drivers/arm64_timer.h"

#define CTL_ENABLE	1

static u64 period;

u64 arm64_timer_count(void)
{
	u64 count;

	/* isb: not before the loads and stores in front of it. */
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
}

u64 arm64_timer_hz(void)
{
	u64 hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}

static void set_compare(u64 when)
{
	__asm__ volatile("msr cntv_cval_el0, %0\n\tisb" : : "r"(when) : "memory");
}

void arm64_timer_start(unsigned int hz)
{
	u64 now = arm64_timer_count();

	period = arm64_timer_hz() / hz;
	set_compare(now - now % period + period);
	__asm__ volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"((u64)CTL_ENABLE) : "memory");
}

void arm64_timer_again(void)
{
	u64 now = arm64_timer_count(), when;

	__asm__ volatile("mrs %0, cntv_cval_el0" : "=r"(when));
	when += period;
	if (when <= now)	/* ticks were missed: they stay missed */
		when += (now - when) / period * period + period;
	set_compare(when);
}

/* Scattered, for a thread that gets the CPU at every other tick, say, must not meet our rhythm. */
static unsigned int whose_turn(u64 tick, unsigned int parts)
{
	return (u32)(tick * 0x9e3779b97f4a7c15ull >> 32) % parts;
}

void arm64_timer_share(unsigned int part, unsigned int parts)
{
	if (whose_turn(arm64_timer_count() / period, parts) != part)
		__asm__ volatile("yield" : : : "memory");
}
