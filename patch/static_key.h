// SPDX-License-Identifier: MIT
/*
 * Static keys: a branch whose condition is in the text itself. While it goes
 * the way it was compiled for it costs one nop.
 *
 *	DEFINE_STATIC_KEY_FALSE(wanted);
 *	if (static_branch_unlikely(&wanted))	nop  <->  jump to the block
 *		...
 *
 * A key counts its users: the branch is taken while the count is above zero.
 * Only a change between zero and one patches text. Counts changed before
 * static_keys_init() are remembered, and init brings the sites to them.
 *
 * Locking: static_key_begin() takes static_key_mutex, above text_mutex.
 */
#pragma once

#include "base/types.h"

/* One branch in the text. Written by asm, see static_branch(): three words. */
struct jump_entry {
	unsigned long code;	/* address of the nop or jump */
	unsigned long target;	/* where the jump goes */
	unsigned long key;	/* the struct static_key; bit 0: the jump is the *disabled* state */
};

struct static_key {
	u32 enabled;			/* users */
	u32 nr_entries;
	struct jump_entry *entries;	/* in code order, from init on */
	struct static_key *next;	/* in the open batch */
	s32 delta;			/* change of @enabled that the open batch asks for */
	bool queued;
	bool initially;			/* what the text was compiled for */
};

/* The two differ in type only, so that the compiler knows which way was compiled in. */
struct static_key_true { struct static_key key; };
struct static_key_false { struct static_key key; };

#define DEFINE_STATIC_KEY_TRUE(name) \
	struct static_key_true name = { .key = { .enabled = 1, .initially = true } }
#define DEFINE_STATIC_KEY_FALSE(name) \
	struct static_key_false name = { .key = { .enabled = 0 } }

#include <asm/jump_label.h>

/*
 * One of a branch's two instructions, and its entry in the jump table, whose key has
 * @disabled_jumps in bit 0. True when the jump is taken.
 */
#define static_branch(insn, key, disabled_jumps) ({ \
	__label__ jumped, done; \
	bool taken_ = false; \
	__asm__ goto("1:	" insn "\n\t" \
		     ".pushsection jump_table, \"aw\"\n\t" \
		     ARCH_BRANCH_WORDS "1b, %l[jumped], %c0 + %c1\n\t" \
		     ".popsection" \
		     : : "i"(key), "i"(disabled_jumps) : : jumped); \
	goto done; \
jumped:	taken_ = true; \
done:	taken_; \
})

#define static_key_is_true_type(k) \
	__builtin_types_compatible_p(__typeof__(*(k)), struct static_key_true)

/*
 * Which instruction is compiled in, and in which state it jumps:
 *
 *                      key compiled true     key compiled false
 *   branch_likely      nop,  jumps if off    jump, jumps if off
 *   branch_unlikely    jump, jumps if on     nop,  jumps if on
 */
#define static_branch_likely(k) likely( \
	static_key_is_true_type(k) ? !static_branch(ARCH_BRANCH_NOP, &(k)->key, true) \
				   : !static_branch(ARCH_BRANCH_JUMP, &(k)->key, true))
#define static_branch_unlikely(k) unlikely( \
	static_key_is_true_type(k) ? static_branch(ARCH_BRANCH_JUMP, &(k)->key, false) \
				   : static_branch(ARCH_BRANCH_NOP, &(k)->key, false))

#define static_key_enabled(k)	(READ_ONCE((k)->key.enabled) > 0)

struct static_key_stats {
	unsigned int entries;	/* in the table */
	unsigned int refused;	/* in discarded code or outside text: never patched */
	unsigned int keys;	/* keys that have entries */
};

/**
 * static_keys_init() - find each key's branches, bring them to its count
 *
 * Once, before interrupts, threads and other CPUs. Return: 0; -EINVAL when a
 * branch does not hold what was compiled; -ERANGE when it does not reach its target;
 * -EBUSY when its bytes are somebody else's (the first is named); -ENOMEM.
 */
int __must_check static_keys_init(void);

/**
 * static_key_inc() / static_key_dec() - one user more, one less
 * @key: &name.key
 *
 * Thread context with interrupts on and not in a callback, else -EBUSY. Return: 0;
 * -EOVERFLOW at the limit of the count; -EINVAL when there is no user to take away; or
 * what text_poke_commit() said. On an error nothing has changed.
 */
int __must_check static_key_inc(struct static_key *key);
int __must_check static_key_dec(struct static_key *key);

/**
 * static_key_begin() .. static_key_queue() .. static_key_commit() - many keys, one patch batch
 * @key: a key; may be queued more than once
 * @delta: users more (positive) or less
 *
 * Contexts and errors as above; an error of queue leaves that key as it was in
 * the batch, an error of commit all keys as they were before it. Before
 * static_keys_init() counts change and no text does.
 */
int __must_check static_key_begin(void);
int __must_check static_key_queue(struct static_key *key, int delta);
int __must_check static_key_commit(void);

/* Close the batch and leave all keys as they were. */
void static_key_abort(void);

void static_key_stats(struct static_key_stats *stats);
