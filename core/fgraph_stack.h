// SPDX-License-Identifier: MIT
/* Shadow stacks of all threads: making them, looking at all of them at one moment. */
#pragma once

#include "arch/fgraph.h"

/**
 * fgraph_stacks_make() - a shadow stack for each thread that has none
 *
 * And from now on for each new one. Threads whose shadow pointer is on its way just
 * now are left out. Thread context. Return: 0 or -ENOMEM.
 */
int __must_check fgraph_stacks_make(void);

/**
 * fgraph_stacks_number() - a user goes: its frames are known by its number alone
 * @index: the number
 * @gops: its object, which may be freed or registered again afterwards
 *
 * When nobody is in code that makes frames of it. Thread context. Return: it has some.
 */
bool fgraph_stacks_number(unsigned int index, unsigned long gops);

/**
 * fgraph_stacks_have() - is there a frame of a user that is gone on any stack?
 * @index: its number
 *
 * False is for good. Thread context.
 */
bool fgraph_stacks_have(unsigned int index);

/* A thread without one was seen: the next fgraph_stacks_make() shall look. Any context. */
void fgraph_stack_missing(void);

unsigned int fgraph_stacks_count(void);

/* The place of the newest frame, also while the pointer is in the middle of a failing push. */
unsigned long fgraph_settled(unsigned long shadow);

/*
 * The oldest frame of a stack; @end: out, one past the newest, the same when there is none.
 * While nobody was registered, whatever the shadow pointer holds is none.
 */
struct fgraph_frame *fgraph_frames(unsigned long shadow, struct fgraph_frame **end);

/* From the oldest on; declares @frame. */
#define fgraph_for_each_frame(frame, shadow) \
	for (struct fgraph_frame *end_, *frame = fgraph_frames(shadow, &end_); frame < end_; frame++)
