// SPDX-License-Identifier: MIT
/*
 * Changing live text. A batch is a transaction: every change is verified
 * against the bytes that must be there before the first byte is written, and a
 * failure leaves text as it was.
 *
 * How other CPUs are kept from a half-written instruction is a *method*, an
 * object chosen at run time.
 *
 * Locking: text_poke_begin() takes text_mutex, text_poke_commit() and
 * text_poke_abort() release it. Thread context with interrupts on; from an
 * interrupt, an NMI, an op or a stop phase begin answers -EBUSY.
 */
#pragma once

#include "base/types.h"
#include "arch/arch.h"

struct text_poke_batch;		/* patch/method.h */

/* What the last commit and all commits together took; see text_poke_stats(). */
struct text_poke_stats {
	unsigned long batches;
	unsigned long sites;		/* changed by site_queue() */
	unsigned long pokes;		/* other changes */
	unsigned long bytes;		/* of both */
	unsigned long crossing;		/* of both, those that are not one atomic store */
	unsigned long rounds;		/* host_on_each_cpu() with HOST_ROUND_TEXT */
	unsigned long traps;		/* breakpoints hit and emulated while a batch was on */
	unsigned long late_traps;	/* at a known address, outside a batch: healed */
	unsigned long refused;		/* batches refused by verify */
	unsigned long cache_ops;	/* cache lines cleaned or invalidated, and whole caches */
	u64 ticks;			/* host_clock() in text_poke_commit(), all included */
};

/**
 * struct text_poke_method - a way to change text under running CPUs
 * @name: as in poke_method=
 * @usable: can it work on this machine now? NULL: always
 * @can_write: can it make this change, which is no site's? NULL: any
 * @commit: write the whole batch; verified and sorted; may not fail
 */
struct text_poke_method {
	const char *name;
	bool (*usable)(void);
	bool (*can_write)(const struct text_poke *poke);
	void (*commit)(const struct text_poke_batch *batch);
};

/*
 * patch/method_*.c. Which of them an ISA has, best first, says its ARCH_TEXT_METHODS
 * (<asm/insn.h>); direct is what runs before other CPUs do.
 */
extern const struct text_poke_method text_poke_breakpoint, text_poke_atomic, text_poke_stop,
	text_poke_nosync, text_poke_local, text_poke_direct;

/* Once, before sites_init(). Return: 0 or -ENOMEM. */
int __must_check text_poke_init(void);

/*
 * Does this context run in code that a change may give back, so that it must make none?
 * core/context.c: inside a callback. Weak in patch/, for who links no core: never.
 */
bool text_poke_in_callback(void);

/* May this context change text, now or after having waited? */
bool text_poke_allowed(void);

/**
 * text_poke_begin() - open a batch
 *
 * Return: 0; -EBUSY where sleeping is not allowed, in a callback, or when this context
 * already has a batch open.
 */
int __must_check text_poke_begin(void);

/**
 * text_poke_queue() - add one change to the open batch
 * @addr: execution address; must lie in text or the code pool
 * @old: bytes that must be there
 * @new: bytes to write
 * @len: 1 .. ARCH_INSN_BYTES
 *
 * Where other CPUs run on, what they may meet meanwhile must be clear: with the method
 * breakpoint (and atomic across its unit) @new is a whole nop, call or jump, or one
 * byte; commit refuses others.
 *
 * Return: 0; -EFAULT when @addr is not text; -EINVAL for a bad @len; -ENOMEM.
 * On an error, which is printed, the batch is refused: commit answers the same and writes nothing.
 */
int __must_check text_poke_queue(unsigned long addr, const u8 *old, const u8 *new, unsigned int len);

/**
 * text_poke_commit() - verify all, then write all
 *
 * Closes the batch either way. On an error no byte is changed, and symbol, address
 * and what is wrong are printed. Return: 0; -EINVAL when bytes were not as expected, or
 * for a change that the method cannot make; -ERANGE when a site does not reach its
 * target; -EBUSY when two changes overlap; or the error of whoever queued or claimed.
 */
int __must_check text_poke_commit(void);

/* Close the batch and forget its changes. */
void text_poke_abort(void);

/**
 * text_poke_select() - choose the method for the batches to come
 * @name: "breakpoint", "stop", "local" ...; "auto" for the default
 *
 * Return: 0, -EINVAL when this ISA has no such method.
 */
int __must_check text_poke_select(const char *name);
const char *text_poke_method_name(void);

/* Method @n of this ISA, best first, counted from 0; NULL behind the last. */
const struct text_poke_method *text_poke_method_at(unsigned int n);

/* The method of this ISA with this name; NULL when there is none. */
const struct text_poke_method *text_poke_find_method(const char *name);

/* Touch after a batch (docs/design.md, "touch and heal")? Only emulators want it; the default is yes. */
void text_poke_set_touch(bool wanted);

/**
 * text_poke_set_limit() - commit batches in parts, to show what a limit costs
 * @nr: changes, or sites, in one part; 0: no limit, the default
 */
void text_poke_set_limit(unsigned int nr);

/*
 * May nosync end without a round? With completion (the default) all CPUs run the
 * new instructions when commit returns; without, each some time later.
 */
void text_poke_set_completion(bool wanted);

/* What holds of these for the next batch. */
bool text_poke_touching(void);
unsigned int text_poke_limit(void);
bool text_poke_completion(void);

/**
 * text_poke_unsettled() - may a CPU go on running what a batch replaced, although a
 * round has been made since?
 *
 * On an emulator that keeps stale translations, after a batch of nosync without
 * completion; until text_poke_settle(). Any context.
 */
bool text_poke_unsettled(void);

/**
 * text_poke_settle() - touch all sites, so that the next round leaves nobody behind
 *
 * Call it behind a round, before code is retired that sites called once, with no batch
 * committed since that round (core: under ftrace_mutex). Thread context, no batch open.
 */
void text_poke_settle(void);

/*
 * Longest time that a writer had interrupts off, or all CPUs parked, in
 * host_clock() ticks, since this was last asked.
 */
u64 text_poke_longest_pause(void);

/**
 * text_poke_trap() - a breakpoint was hit: is it ours?
 * @regs: the context that hit it
 *
 * At a change of the current batch that goes by breakpoint: emulates the NEW instruction.
 * At another known address, with no breakpoint in memory
 * (a late trap): heals it and retries. Never waits, takes no lock; any context,
 * NMI too. Return: true when handled.
 */
bool text_poke_trap(struct pt_regs *regs);

/* Of these, what one CPU has met since boot. */
void text_poke_cpu_traps(unsigned int cpu, unsigned long *emulated, unsigned long *late);

/* Counters since boot (@total) and of the last batch (@last); either may be NULL. */
void text_poke_stats(struct text_poke_stats *total, struct text_poke_stats *last);

/* FNV-1a hash of text without the code pool: equal before and after on + off. */
u64 text_hash(void);
