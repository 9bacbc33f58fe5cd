// SPDX-License-Identifier: MIT
/*
 * What methods share: a batch's changes, slices of them, rounds, and the batch that
 * trap handlers see. For patch/, and for bench/disturb.c, which stops a batch half way.
 */
#pragma once

#include "base/types.h"
#include "patch/site.h"
#include "patch/text_poke.h"

/* ---- the changes of a batch ---- */

/*
 * The sites of a batch and its other changes, each sorted by address once verified. All
 * sites at once, or each function that a filter names: one span, or one a site.
 */
struct text_poke_batch {
	struct site_span *spans;
	unsigned int nr_spans, spans_capacity;
	const struct dyn_ftrace *low, *high;	/* of the spans' sites, those in [low, high) */
	struct text_poke *pokes;
	unsigned int nr_pokes, pokes_capacity;
};

/* The open batch; BUG when there is none. */
struct text_poke_batch *text_poke_open_batch(void);

/* Do these bytes lie in text or in the code pool? */
bool text_poke_is_text(unsigned long addr, unsigned int len);

/**
 * text_poke_refuse() - the open batch shall not commit
 * @addr: where, for the message
 * @problem: what is wrong there; printed with address and symbol
 * @error: why
 *
 * Return: @error.
 */
int text_poke_refuse(unsigned long addr, const char *problem, int error);

/* The first error of the open batch, 0 for none. */
int text_poke_poisoned(void);

/**
 * text_poke_grow() - room for one more in one of a batch's arrays
 * @array: the array; moves
 * @capacity: elements it has room for
 * @nr: elements it has
 * @size: bytes of one
 * @addr: where the one is that room is wanted for
 *
 * Return: 0 or -ENOMEM, with which the open batch is refused.
 */
int __must_check text_poke_grow(void **array, unsigned int *capacity, unsigned int nr, size_t size,
				unsigned long addr);

/* ---- slice.c: going through them ---- */

/**
 * struct text_writer - what is done to changes, by kind
 * @pokes: does @part of the changes in [@poke, @end)
 * @sites: likewise for the sites of the spans in [@span, @last); NULL: their changes go to @pokes
 * @reads: it writes nothing, so that no upkeep is due
 */
struct text_writer {
	void (*pokes)(const struct text_poke *poke, const struct text_poke *end, enum text_part part);
	void (*sites)(const struct site_span *span, const struct site_span *last, enum text_part part);
	bool reads;
};

/* Writes every change, by the port's loops. */
extern const struct text_writer text_write_all;

/**
 * text_poke_each_slice() - go through a batch with text open
 * @batch: the batch
 * @writer: what to do to its changes, in order; the cache upkeep of its writes is
 *	complete when a slice ends
 * @part: handed on
 *
 * Interrupts are off in a slice, and on between two. A site lies in one slice.
 */
void text_poke_each_slice(const struct text_poke_batch *batch, const struct text_writer *writer,
			  enum text_part part);

/* The same in one go; text is open, and stays open. */
void text_poke_at_once(const struct text_poke_batch *batch, const struct text_writer *writer,
		       enum text_part part);

/**
 * text_poke_take() - the first changes of a batch as a batch of their own
 * @rest: what is left of it afterwards
 * @nr: how many changes
 */
struct text_poke_batch text_poke_take(struct text_poke_batch *rest, unsigned int nr);

static inline bool text_poke_batch_is_empty(const struct text_poke_batch *batch)
{
	return !batch->nr_spans && !batch->nr_pokes;
}

/* The span that a record lies in; NULL when the batch does not change its site. */
const struct site_span *text_poke_span_of(const struct text_poke_batch *batch, const struct dyn_ftrace *rec);

/* Changes that are not one atomic store, and sites. */
unsigned long text_poke_count_crossing(const struct text_poke_batch *batch);
unsigned long text_poke_count_sites(const struct text_poke_batch *batch);

/* A writer had interrupts off since @start on host_clock(). */
void text_poke_note_pause(u64 start);

/* ---- choice.c: what the user chose ---- */

/* The method that writes the next batch: the chosen one where it is usable. */
const struct text_poke_method *text_poke_method(void);

/* Is this batch of nosync to end with a round? */
bool text_poke_completing(const struct text_poke_batch *batch);

/* ---- rounds ---- */

/* One counted round, in which each CPU calls @fn and synchronises its context. */
void text_poke_round(void (*fn)(void *arg), void *arg);

/* One in which there is nothing else to do. */
void text_poke_sync(void);

/* Behind the last round: if it is wanted, every change once more (docs/design.md, "touch and heal"). */
void text_poke_touch(const struct text_poke_batch *batch);

/* A batch ended without a round: its sites are to be settled before code is retired. */
void text_poke_note_unsettled(void);

/* method_stop.c: one round in which all other CPUs are parked while @writer writes it all. */
void text_poke_stopped(const struct text_poke_batch *batch, const struct text_writer *writer);

/* method_breakpoint.c: the three steps, with a round behind each. */
void text_poke_by_breakpoints(const struct text_poke_batch *batch, const struct text_writer *writer);
bool text_poke_can_emulate(const struct text_poke *poke);

/* ---- verify.c ---- */

/**
 * text_poke_verify() - sort a batch and check it against text
 * @batch: the open one
 * @method: that will write it
 *
 * Return: 0; -EBUSY on overlap, -ERANGE for a target out of reach, -EINVAL on a
 * mismatch or for a change that @method cannot make; all printed.
 */
int __must_check text_poke_verify(struct text_poke_batch *batch, const struct text_poke_method *method);

/* ---- trap.c: what a breakpoint's handler can see ---- */

/**
 * text_poke_publish() - let trap handlers emulate this batch
 * @batch: sorted; stays as it is until text_poke_forget()
 *
 * Before the first breakpoint is written.
 */
void text_poke_publish(const struct text_poke_batch *batch);

/**
 * text_poke_retire() - the batch is written and touched
 *
 * Its addresses stay known: a breakpoint hit there from now on is a late one
 * and is healed.
 */
void text_poke_retire(void);

/*
 * Drop what the retired batch knew. Behind a round that began after
 * text_poke_retire() its memory may be used again.
 */
void text_poke_forget(void);

void text_poke_count_traps(unsigned long *traps, unsigned long *late);

/* ---- site.c ---- */

/* What the sites from @rec on call now, one after the other. */
const unsigned long *site_targets(const struct dyn_ftrace *rec);

/* A batch is open or closed: site_queue() has no span to go on with. */
void sites_batch_begin(void);

/* The batch ended: its targets hold from now on, or never. */
void sites_batch_done(const struct text_poke_batch *batch, bool committed);

/* ---- claim.c ---- */

/* The batch ended: what it claimed and gave up holds from now on, or never. */
void claims_batch_done(bool committed);
