// SPDX-License-Identifier: MIT
/*
 * The smallest host: all that base/host.h asks for, on one CPU that runs one
 * loop. No threads, no interrupts, no MMU set-up; memory comes from an array
 * and is never given back.
 */
#include "base/host.h"

#include "arch/arch.h"
#include "base/print.h"
#include "base/string.h"
#include "tests/superloop/machine.h"

#include <host_asm.h>

#define HEAP_BYTES	(512 * 1024)

struct trace_state superloop_trace_state;
char superloop_shadow_sp[sizeof(unsigned long)] __aligned(sizeof(unsigned long));	/* <host_asm.h> */

static char heap[HEAP_BYTES] __aligned(4096);
static size_t heap_used;

extern char code_pool_start[], code_pool_end[], stack_bottom[], stack_top[];

unsigned int host_nr_cpus(void)
{
	return 1;
}

unsigned int host_nr_online(void)
{
	return 1;
}

bool host_smp_started(void)
{
	return false;
}

void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind)
{
	fn(arg);
	arch_text_sync();
}

static unsigned long counters[16];

struct host_place host_trace_state_place(void)
{
	return (struct host_place){ HOST_BASE_ADDRESS, (unsigned long)&superloop_trace_state, false };
}

/* There is no idle. */
struct host_place host_watching_place(void)
{
	return (struct host_place){ HOST_BASE_NONE, 0, false };
}

struct host_counters host_counters(void)
{
	return (struct host_counters){
		.place = { HOST_BASE_ADDRESS, (unsigned long)counters, false },
		.first = (unsigned long)counters,
		.nr = ARRAY_SIZE(counters),
	};
}

bool host_may_sleep(void)
{
	return true;
}

void host_mutex_lock(struct host_mutex *m)
{
	m->owner = m;
}

void host_mutex_unlock(struct host_mutex *m)
{
	m->owner = NULL;
}

bool host_mutex_is_mine(const struct host_mutex *m)
{
	return m->owner != NULL;
}

void *host_alloc(size_t bytes)
{
	size_t align = bytes < PAGE_SIZE ? 16 : PAGE_SIZE;
	size_t at = ALIGN_UP(heap_used, align);

	if (bytes > HEAP_BYTES - at)
		return NULL;
	heap_used = at + bytes;
	return heap + at;
}

void host_free(void *p)
{
}

unsigned long host_text_open(void)
{
	return 0;
}

void host_text_close(unsigned long cookie)
{
}

unsigned long host_code_pool(size_t *size_bytes)
{
	*size_bytes = (size_t)(code_pool_end - code_pool_start);
	return (unsigned long)code_pool_start;
}

int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg)
{
	return 0;
}

void host_stack_bounds(unsigned long *low, unsigned long *high)
{
	*low = (unsigned long)stack_bottom;
	*high = (unsigned long)stack_top;
}

bool host_is_watching(void)
{
	return true;
}

void host_relax(void)
{
}

u64 host_clock(void)
{
	static u64 ticks;

	return ticks++;
}

u64 host_clock_hz(void)
{
	return 1;
}

void host_write(const char *text, size_t n)
{
	while (n--)
		machine_putc(*text++);
}

void host_panic(const struct pt_regs *regs, const char *message)
{
	pr_info("PANIC: %s\n", message);
	machine_exit(1);
}
