// SPDX-License-Identifier: MIT
/*
 * The C library's ground: newlib's system calls, locks and per-thread state.
 *
 * The library may use the FPU and it takes mutexes: thread context only.
 */
#pragma once

#include "kernel/thread.h"

#define LIBC_STATE_BYTES	2048	/* room for newlib's struct _reent */

struct _reent;
extern struct _reent *_impure_ptr;	/* newlib's current state, where it is not built to ask __getreent() */

/* Make malloc's memory; once, before the first use of the library. */
void libc_init(void);

/* Give a thread its state: in @room, or in static room when that is NULL (the boot thread). */
void libc_thread_init(struct thread *t, void *room);

/* The current thread ends: what it printed last goes out. */
void libc_thread_end(void);

/* What a thread's state holds goes back. In thread context, after its end. */
void libc_thread_free(struct thread *t);

/* The scheduler switches to @t on this CPU. */
static inline void libc_switch(const struct thread *t)
{
	_impure_ptr = t->reent;
}
