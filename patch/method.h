// SPDX-License-Identifier: MIT
/*
 * What methods share: slices, rounds, and the batch that trap handlers see.
 * For patch/ only.
 */
#pragma once

#include "base/types.h"
#include "patch/text_poke.h"

typedef void (*text_poke_slice_fn)(const struct text_poke *first, const struct text_poke *end);

/**
 * text_poke_each_slice() - run over a batch with text open
 * @batch: verified and sorted
 * @fn: called for [first, end), interrupts off, text open; the cache upkeep of
 *	its writes is complete when it has returned
 *
 * Interrupts are on between slices. Changes that touch one another (the two
 * words of a site) stay in one slice.
 */
void text_poke_each_slice(const struct text_poke_batch *batch, text_poke_slice_fn fn);

/* A writer had interrupts off since @start on host_clock(). */
void text_poke_note_pause(u64 start);

/* Is a batch of nosync to end with a round? */
bool text_poke_completing(void);

/* The writes of a whole instruction, as a slice function. */
void text_poke_write_slice(const struct text_poke *first, const struct text_poke *end);

/* May this change be made by one store under running CPUs? */
static inline bool text_poke_is_swappable(const struct text_poke *poke)
{
	return poke->len == ARCH_INSN_BYTES && arch_insn_swappable(poke->old) &&
	       arch_insn_swappable(poke->new);
}

/* One counted round: every CPU has passed a context synchronisation after it. */
void text_poke_round(void (*fn)(void *arg), void *arg);

/* Is the batch to be touched after its last round? */
bool text_poke_touching(void);

/* ---- verify.c ---- */

/* What verifying a batch found. */
struct text_poke_check {
	unsigned long end;		/* of the change checked last */
	const struct text_poke *overlap, *mismatch;	/* where it stopped, or NULL */
	u8 found[ARCH_INSN_BYTES];	/* instead of mismatch->old */
	unsigned long bytes, crossing;
};

/**
 * text_poke_verify() - sort a batch and check it against text
 * @batch: the open one
 * @result: out, valid also on failure
 *
 * Return: 0; -EBUSY on overlap, -EINVAL on a mismatch, both printed.
 */
int __must_check text_poke_verify(struct text_poke_batch *batch, struct text_poke_check *result);

/* ---- the open batch, for who queues many changes ---- */

/*
 * Where its next change goes, and where its room ends. No batch is open: equal,
 * so that asking for room is all the check there is.
 */
extern struct text_poke *text_poke_next, *text_poke_end;

/**
 * text_poke_grow() - make room for more changes
 * @n: how many
 *
 * BUG when no batch is open. Moves what was queued: text_poke_next is new.
 * Return: 0 or -ENOMEM, which poisons the batch.
 */
int __must_check text_poke_grow(unsigned int n);

/* Is there room for @n more? What is written to text_poke_next counts when it moves on. */
static always_inline bool text_poke_has_room(unsigned int n)
{
	return likely((size_t)((char *)text_poke_end - (char *)text_poke_next) >= n * sizeof(struct text_poke));
}

/* The open batch shall not commit. Return: @error. */
int text_poke_poison(int error);

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

/* The batch ended: the queued targets hold from now on, or never. */
void sites_batch_done(bool committed);
