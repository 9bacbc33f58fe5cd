// SPDX-License-Identifier: MIT
/*
 * The seam to whatever hosts the runtime: all that base, arch, patch, core and
 * trace ask of it. Three hosts exist: kernel/host.c (our kernel), a superloop
 * (tests/superloop), and the host-side unit tests (tests/host).
 *
 * What sits on the hot path is in the host's own <host_inline.h>, which must
 * give, as static inline functions:
 *
 *   unsigned int host_cpu_id(void)             CPU that runs this, 0 .. host_nr_cpus()-1
 *   struct trace_state *host_trace_state(void) of the current thread, never NULL
 *   unsigned long host_irq_save(void)          mask interrupts, return the former state
 *   void host_irq_restore(unsigned long flags) back to that state
 *   void *host_text_alias(unsigned long addr)  writable view of text or code pool at @addr;
 *                                              valid between host_text_open() and _close()
 *
 * Nothing that host_* reaches may be traced (a checker in the test run walks
 * the call graph).
 */
#pragma once

#include "base/types.h"

/* Per thread, first 16-byte aligned member of the host's thread object. */
struct trace_state {
	unsigned long recursion;	/* guard bits of the current context; see core/context.h */
	unsigned long context;		/* depth: 0 thread, then interrupts and NMIs nested in it */
	unsigned long shadow_sp;	/* function graph: the shadow pointer while it does not run */
	unsigned long irq_regs;		/* innermost interrupted struct pt_regs, 0 in thread context */
	unsigned long shadow_floor;	/* function graph: frames up to here are not this context's to drop */
};

#include <host_inline.h>

/* Why a round is made; the host counts rounds and IPIs per CPU by kind. */
enum host_round {
	HOST_ROUND_TEXT,	/* between the steps of a patch batch */
	HOST_ROUND_CODE,	/* new generated code, before anything points to it */
	HOST_ROUND_QUIESCE,	/* retiring code and data */
	NR_HOST_ROUNDS,
};

/**
 * host_nr_cpus() - number of CPUs that may ever run
 *
 * Return: 1 or more; constant after start-up.
 */
unsigned int host_nr_cpus(void);

/**
 * host_nr_online() - number of CPUs that host_on_each_cpu() reaches now, the
 * caller's included
 *
 * Does not change inside host_on_each_cpu(). Any context.
 */
unsigned int host_nr_online(void);

/**
 * host_smp_started() - may other CPUs, interrupts or threads be running?
 *
 * While it is false, text is written directly: no rounds, no breakpoints.
 */
bool host_smp_started(void);

/**
 * host_on_each_cpu() - run a function on every online CPU and wait for all
 * @fn: called once on each CPU with interrupts off, on the caller's too, at the
 *	same time on all of them (so that they may wait for one another)
 * @arg: handed to @fn
 * @kind: what the round is counted as
 *
 * Every CPU passes a context synchronisation on its way out, also where there is
 * only one. One call is one round and one IPI on each other online CPU. Thread
 * context, interrupts on; or while host_smp_started() is false: then @fn is called
 * on this CPU alone.
 */
void host_on_each_cpu(void (*fn)(void *arg), void *arg, enum host_round kind);

/* The same with nothing to do but the synchronisation. base/host.c. */
void host_sync_cpus(enum host_round kind);

/**
 * host_may_sleep() - thread context with interrupts on?
 *
 * Return: true when a sleeping mutex may be taken here.
 */
bool host_may_sleep(void);

/*
 * A sleeping mutex; thread context only. A one-thread host keeps a flag: it need not wait,
 * but host_mutex_is_mine() must tell whether this context has it.
 */
struct host_mutex {
	void *owner;
	unsigned long word[5];
};
void host_mutex_lock(struct host_mutex *m);
void host_mutex_unlock(struct host_mutex *m);
bool host_mutex_is_mine(const struct host_mutex *m);

/**
 * host_alloc() / host_free() - memory for the runtime's data
 * @bytes: size; the memory is zeroed and aligned to 16 bytes, to a page from
 *	   PAGE_SIZE bytes on
 *
 * Thread context (or before interrupts are on). Return: NULL when there is none.
 */
void *host_alloc(size_t bytes);
void host_free(void *p);

/**
 * host_text_open() - make text and the code pool writable through the alias
 *
 * The view is private to this CPU. Interrupts off from open to close; pairs
 * nest (an NMI may open inside an open pair). No IPI, no remote flush.
 *
 * Return: cookie for host_text_close().
 */
unsigned long host_text_open(void);
void host_text_close(unsigned long cookie);

/**
 * host_code_pool() - memory for generated code, next to text
 * @size_bytes: size of the area
 *
 * Executable at its address, written only through host_text_alias().
 */
unsigned long host_code_pool(size_t *size_bytes);

/* What a suspended context looks like to the quiescence scan and the unwinder. */
struct host_context {
	struct trace_state *trace;	/* of the context; NULL: a host without threads */
	unsigned long pc;
	const struct pt_regs *regs;	/* where it was interrupted; NULL: all are words of its stack */
	unsigned long stack_low;	/* live stack: [low, high) */
	unsigned long stack_high;
	bool voluntary;			/* it switched away by itself: outside of every op */
};

/**
 * host_for_each_suspended() - visit every context that is not running now
 * @fn: called for each; a non-zero return ends the walk
 * @arg: handed to @fn
 *
 * No thread is created, freed or switched to or from while @fn looks at it.
 * Called inside host_on_each_cpu(), on the caller's CPU with interrupts off, while
 * every other CPU is held there: a thread that moves between two looks would be
 * missed. So it may take a spinlock (no CPU that took the interrupt holds one),
 * but not sleep or allocate. Return: the last return of @fn.
 */
int host_for_each_suspended(int (*fn)(const struct host_context *ctx, void *arg), void *arg);

/**
 * host_stack_bounds() - bounds of the stack the caller runs on
 * @low: lowest address
 * @high: one past the highest
 */
void host_stack_bounds(unsigned long *low, unsigned long *high);

/**
 * host_is_watching() - is this CPU in normal operation (not idle, not entering,
 * not offline)? A host without idle tracking answers true.
 */
bool host_is_watching(void);

/**
 * host_relax() - give way while waiting: thread context sleeps a tick, a
 * one-thread host does nothing.
 */
void host_relax(void);

/*
 * Where generated code finds what host_trace_state() and its kin answer, so that it
 * need not call them.
 */
enum host_base {
	HOST_BASE_NONE,		/* nowhere: the answer never changes */
	HOST_BASE_ADDRESS,	/* the address @offset: on one CPU, or for what all share */
	HOST_BASE_CPU,		/* @offset from a register of the CPU: x86 GS base, arm64 TPIDR_EL1 */
	HOST_BASE_THREAD,	/* @offset from a register of the thread: arm64 SP_EL0 */
};

struct host_place {
	enum host_base base;
	unsigned long offset;
	bool pointer;		/* what is asked for is not there, but where the word there points to */
};

/* An area of counters that each CPU has one of. */
struct host_counters {
	struct host_place place;	/* of the calling CPU's; HOST_BASE_CPU or, on one CPU, _ADDRESS */
	unsigned long first;		/* address of CPU 0's */
	unsigned long stride;		/* bytes from one CPU's to the next */
	unsigned int nr;		/* of unsigned long in each; zero at start */
};

/**
 * host_trace_state_place() / host_watching_place() - for generated code, which inlines
 * host_trace_state() and host_is_watching()
 *
 * The second leads to a byte that is 0 while the CPU is not watching; HOST_BASE_NONE
 * where it always is. x86: the first has the base _ADDRESS, or _CPU with @pointer.
 * Offsets from a register: arm64 < 4096. Constant. Any context.
 */
struct host_place host_trace_state_place(void);
struct host_place host_watching_place(void);

/**
 * host_counters() - memory for ops that only count
 *
 * Return: where it is; constant. Offsets: arm64 < 32 KiB. Any context.
 */
struct host_counters host_counters(void);

/* Monotonic clock, in host_clock_hz() ticks a second. Any context. */
u64 host_clock(void);
u64 host_clock_hz(void);

/* Text to the console. Any context; may interleave with other writers by line. */
void host_write(const char *text, size_t n);

/* Stop the machine: registers when known, backtrace, failing exit code. */
struct pt_regs;
__noreturn void host_panic(const struct pt_regs *regs, const char *message);
