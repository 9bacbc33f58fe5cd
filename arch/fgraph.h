// SPDX-License-Identifier: MIT
/*
 * What the function graph needs of an instruction set.
 *
 * A call whose return somebody wants to see has a frame on its thread's shadow
 * stack, and a return address that leads to a handler in place of its caller's:
 *
 *	stack of the thread			shadow stack, one page with
 *						FGRAPH_STACK_BIT set in its addresses
 *	|  ...            |			+---------------------+
 *	| f's return:     |			| slot 0: header      |
 *	|  handler <------+-- planted		| frame of f: true    | depth 0
 *	|  f's locals     |			|  return, sp, users  |
 *	| g's return:     |			| frame of g          | depth 1
 *	|  handler        |			+---------------------+ <- shadow pointer
 *
 * The shadow pointer of the running thread is where the ISA reads it with one
 * instruction (asm/fgraph.h says where); of one that does not run it is in
 * trace_state.shadow_sp, and the host's context switch moves it. 0 is a thread
 * without a stack. Frame 0's predecessor and what follows the last frame lack
 * FGRAPH_STACK_BIT: one test answers "no stack" and "full".
 *
 * A frame belongs to a pointer above: the pointer moves first and the frame is
 * written then, so that an interrupt in between writes elsewhere; the return path
 * reads all it needs and moves the pointer last. What an interrupt has to do for that
 * is in core/fgraph_irq.c: the sp of a frame is the last that entry code writes.
 *
 *   asm/fgraph.h	 struct fgraph_frame; arch_shadow_sp(), arch_set_shadow_sp();
 *			 fgraph_frame_raw_sp(), what else arch/fgraph_frame.h says; arch_fgraph_mend();
 *			 FGRAPH_RETURN_BYTES that a return takes off the stack
 *   asm/ftrace.h	 ftrace_regs_parent_slot(): where a callback may plant
 *   return_to_handler.S templates for arch/fgraph.c, and the return path of frames with
 *			 several users
 *   fgraph.c		 arch_fgraph_supported(), arch_fgraph_fill_entry(), arch_fgraph_unwind()
 */
#pragma once

#include "arch/arch.h"
#include "arch/fgraph_frame.h"
#include "arch/fgraph_types.h"

/* Bytes of a shadow stack, and what is set in the addresses of its frames. */
#define FGRAPH_STACK_BYTES	PAGE_SIZE
#define FGRAPH_STACK_BIT	PAGE_SIZE
/* Calls whose return is hooked, in one thread: 63 on 64 bits, 127 on ARMv5. */
#define FGRAPH_DEPTH		(FGRAPH_STACK_BYTES / sizeof(struct fgraph_frame) - 1)

static_assert(!(sizeof(struct fgraph_frame) & (sizeof(struct fgraph_frame) - 1)), "one bit tells the end");
static_assert(FGRAPH_DEPTH == (sizeof(long) == 8 ? 63 : 127), "as the documents say");

/* May a frame be at this shadow pointer? */
static inline bool fgraph_has_frame(unsigned long shadow)
{
	return shadow & FGRAPH_STACK_BIT;
}

static inline struct fgraph_frame *fgraph_frame_at(unsigned long shadow)
{
	return (struct fgraph_frame *)(shadow - FGRAPH_POINTER_OFFSET);
}

/* The header's place; a pointer there means no frame. */
static inline unsigned long fgraph_bottom(unsigned long shadow)
{
	return ALIGN_DOWN(shadow, FGRAPH_STACK_BYTES) + FGRAPH_POINTER_OFFSET;
}

/* What the two pieces of generated code of one user are made of. */
struct fgraph_spec {
	unsigned long entryfunc, retfunc;	/* 0: none */
	unsigned long gops;			/* their second argument */
	unsigned long op;			/* fgraph_enter()'s */
	unsigned long return_stub;		/* what to plant */
	unsigned int index;			/* of the user, < FGRAPH_MAX_USERS */
};

#define FGRAPH_MAX_USERS	8u

/* Does this flavour of call sites let a return be hooked? */
bool arch_fgraph_supported(void);

/**
 * arch_fgraph_generate_entry() - the trampoline of a site with one user and no other op
 * @spec: of the user
 * @at: execution address
 * @code: where to write it, @room bytes
 * @frame: what it looks like, out; with graph_commit
 *
 * As arch_trampoline_generate(). Return: bytes, -ENOSPC, -ERANGE.
 */
int __must_check arch_fgraph_generate_entry(const struct fgraph_spec *spec, unsigned long at,
					    u8 *code, size_t room, struct trampoline_frame *frame);

/**
 * arch_fgraph_generate_return() - what calls that one user's retfunc
 * @spec: of the user
 * @at: execution address; it is what gets planted
 * @code: where to write it, @room bytes
 * @call: out: offset of the call of retfunc, which becomes a nop when the user goes
 *
 * Return: bytes, -ENOSPC, -ERANGE.
 */
int __must_check arch_fgraph_generate_return(const struct fgraph_spec *spec, unsigned long at,
					     u8 *code, size_t room, unsigned int *call);

/**
 * arch_fgraph_unwind() - from inside a return path to the caller
 * @frame: pc lies in a return path; out: where the function that returned goes on,
 *	   which may be a planted address
 * @newest: the frame of that function, if it still is the newest; may be NULL
 *
 * Return: -1 when it cannot, 1 when @newest was it, 0 when that is down already.
 */
int arch_fgraph_unwind(struct unwind_frame *frame, const struct fgraph_frame *newest);

/* The planted address of frames with several users, and the end of its code. */
void return_to_handler(void);
extern const char return_to_handler_end[];

/**
 * arch_fgraph_fill_entry() - what arch/fgraph.c leaves to the port
 * @spec: of the user
 * @code: a copy of the entry template, its calls and words filled in
 * @frame: what it looks like, out; with graph_commit
 *
 * What is planted, and that nothing is planted for a user without a retfunc. Return: 0,
 * -ERANGE when the template cannot plant that address.
 */
int __must_check arch_fgraph_fill_entry(const struct fgraph_spec *spec, u8 *code, struct trampoline_frame *frame);

/* core/fgraph_call.c; called by the code above. */
struct ftrace_ops;
void fgraph_enter(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		  struct ftrace_regs *fregs);
void fgraph_return(unsigned long sp);
int fgraph_entry_default(struct ftrace_graph_ent *ent);
