// SPDX-License-Identifier: MIT
/*
 * A machine made of records: text that may be written only while it is open,
 * CPUs that are threads, and a log of everything that was done to text.
 */
#pragma once

#include "base/types.h"
#include "base/host.h"
#include "arch/arch.h"

#define FAKE_TEXT_BYTES	(128 * 1024UL)
#define FAKE_POOL_BYTES	(16 * 1024UL)

/* Where the pretended image's text begins; functions and sites are made in it. */
extern u8 fake_text[];

/* ---- what happened ---- */

enum fake_event_kind {
	FAKE_WRITE, FAKE_FLUSH, FAKE_SYNC, FAKE_TOUCH, FAKE_OPEN, FAKE_CLOSE, FAKE_ROUND,
};

struct fake_event {
	enum fake_event_kind kind;
	unsigned long addr;		/* of a write or touch; kind of a round */
	unsigned int len;
	u8 bytes[ARCH_INSN_BYTES];
};

#define FAKE_EVENTS	200000
extern struct fake_event fake_events[FAKE_EVENTS];
extern unsigned int fake_nr_events;

/* The log without openings, closings, flushes and syncs, as letters: w, t, R. Runs are one letter. */
const char *fake_summary(void);
unsigned int fake_count(enum fake_event_kind kind);

/* Everything that was printed since the last fake_reset(). */
extern char fake_console[];

/* How often has it been printed? */
unsigned int fake_said(const char *words);

/* ---- how it behaves ---- */

extern unsigned int fake_cpus;		/* online, 1 .. 8 */
extern bool fake_smp_started, fake_may_sleep;
extern bool fake_two_words;		/* sites of two instructions */
extern bool fake_swappable;		/* does arch_insn_swappable() allow instructions but 'Q'? */
extern int fake_fail_after;		/* allocations that succeed before one fails; -1: all do */
extern unsigned int fake_allocations;
extern unsigned long fake_unreachable;	/* a site the code pool cannot be reached from */

/* Called at the start of each round, as what another CPU does before its IPI. */
extern void (*fake_before_round)(enum host_round kind);

/* Called when a trap's handler is about to look at text, once. */
extern void (*fake_before_look)(void);

/* What text_poke_publish() was given, oldest first. */
#define FAKE_PUBLISHED	1000
struct text_poke_batch;
extern const struct text_poke_batch *fake_published[FAKE_PUBLISHED];
extern unsigned int fake_nr_published;

/* Text all traps, no symbols, one CPU before start-up, empty log. */
void fake_reset(void);

/* A function with symbol and size; its first bytes are @code. Return: its address. */
unsigned long fake_function(unsigned long offset, const char *name, size_t size,
			    const void *code, size_t code_bytes);

/* A site as the compiler leaves it, for fake_function(): 'N' 0 0 0 0, twice. */
extern const u8 fake_compiled_site[2 * ARCH_INSN_BYTES];

/* A target that no site reaches. */
#define FAKE_OUT_OF_REACH	(~0UL)

/* Write text behind the engine's back. */
void fake_corrupt(unsigned long addr, u8 value);

/* ---- checks ---- */

void check_at(const char *file, int line, bool cond, const char *what);
#define check(cond)	check_at(__FILE__, __LINE__, cond, #cond)
unsigned int check_failures(void);	/* so far */
int check_summary(void);
