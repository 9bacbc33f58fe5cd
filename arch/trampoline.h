// SPDX-License-Identifier: MIT
/*
 * What the runtime needs of a port's trampoline.c and leaf.S: generated code that a call
 * site calls, and that calls ops. A part of the contract in arch.h.
 */
#pragma once

#include "base/types.h"

struct pt_regs;

/*
 * One call that a trampoline makes: an ftrace_func_t, and before it what its op
 * asked for; or one of:
 *
 * _LEAF	code that keeps every register but those that are dead at a function's
 *		entry (x86 r11; arm64 x10 to x17; flags). It is entered as a site enters it
 *		and goes back as a trampoline does, but its return address need not be the
 *		site's. x86: its stack may be aligned to 8 bytes only.
 * _COUNT	no call: the CPU's counter of this number goes up by one, exactly, also
 *		when an interrupt does the same in between
 */
struct trampoline_call {
	unsigned long func;	/* ftrace_func_t; the leaf; nothing */
	unsigned long arg;	/* its struct ftrace_ops *; nothing; number in host_counters() */
	unsigned int flags;	/* TRAMPOLINE_CALL_* */
	unsigned long recursed;		/* GUARD: address of the count of calls left out */
	unsigned long not_watching;	/* WATCHING: likewise */
};

#define TRAMPOLINE_CALL_GUARD	(1u << 0)	/* left out within a guarded call of the same context */
#define TRAMPOLINE_CALL_WATCHING (1u << 1)	/* left out while the CPU is not watching */
#define TRAMPOLINE_CALL_LEAF	(1u << 2)
#define TRAMPOLINE_CALL_COUNT	(1u << 3)

#define TRAMPOLINE_SAVE_REGS	(1u << 0)	/* every register, as struct pt_regs */

struct trampoline_spec {
	const struct trampoline_call *calls;
	unsigned int nr_calls;			/* >= 1, called in order */
	unsigned int flags;
	unsigned long left_out;		/* void (*)(unsigned long *count), for calls left out */
	unsigned long direct;		/* goes on there, as if the site had called it; 0: behind the site */
};

/* Calls with a guard or a test in one trampoline; more are -ENOSPC. */
#define TRAMPOLINE_MAX_TESTS	32u

/* What unwinder and quiescence know about generated code. Offsets in bytes. */
struct trampoline_frame {
	u16 frame_bytes;	/* sp at the op calls .. sp of the parent right at its call of the function */
	u16 ret_offset;		/* from sp at the op calls to the address behind the site */
	u16 parent_offset;	/* likewise to the return address into the parent */
	u16 body_start;		/* code offset from which the frame stands ... */
	u16 body_end;		/* ... and where it is taken down */
	u16 tail_start, tail_end; /* behind body_end the frame stands once more; 0: nowhere */
	u16 entry_again;	/* from here on all is as at the trampoline's entry; 0: nowhere */
	/* Of a function graph's only (arch/fgraph.h); 0 elsewhere. */
	u16 graph_write;	/* from here on its frame on the shadow stack is taken ... */
	u16 graph_commit;	/* ... and from here on it is written */
};

/**
 * arch_trampoline_generate() - write the code that calls a site's ops
 * @spec: what to call and what to save
 * @at: execution address the code will have
 * @code: where to write it, @room bytes; plain memory, not the alias
 * @frame: what the code's frame looks like, out
 *
 * Pure: no side effects but @code and @frame. Return: bytes written, -ENOSPC
 * when @room is too small, -ERANGE when a func is out of reach.
 */
int __must_check arch_trampoline_generate(const struct trampoline_spec *spec, unsigned long at,
					  u8 *code, size_t room, struct trampoline_frame *frame);

/**
 * arch_trampoline_mend() - take an interrupted context out of a counting window
 * @regs: the context; its pc lies in the code pool
 *
 * Where counting takes several instructions, and the last has not been made, it
 * starts again. At the start of each interrupt.
 */
void arch_trampoline_mend(struct pt_regs *regs);

/* In leaf.S: the leaf that does nothing. Not to be called from C. */
void arch_leaf_return(void);

/**
 * arch_leaf_call() - from C to a leaf, as a trampoline calls it
 * @leaf: its address
 * @parent: what it shall find as the return address into the parent
 *
 * Any context in which the leaf may be called.
 */
void arch_leaf_call(unsigned long leaf, unsigned long parent);

/**
 * arch_fill_traps() - fill memory with instructions that trap
 * @code: plain memory, not the alias
 * @len: bytes, a multiple of the ISA's unit
 *
 * Pure; any context.
 */
void arch_fill_traps(u8 *code, size_t len);
