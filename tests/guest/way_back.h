// SPDX-License-Identifier: MIT
/*
 * Assembly that keeps return addresses in registers, or others there that are none. It
 * says when it is inside, waits until it may leave, and says that it did.
 */
#pragma once

/* Offsets in assembly: 0, 4, 8. */
struct way_back {
	unsigned int inside, leave, left;
};

extern struct way_back way_back;

/* A leaf. Waits with all return addresses in registers that are dead at a function's entry. */
void way_back_leaf(void);

/* A direct op's code. Waits with all as its caller left it. */
void way_back_direct(void);

/* A callback; its return address stays where its caller put it. */
void way_back_callee(void);

/*
 * Has @word in all registers that hold no return address, on no stack, from when *@inside
 * is set until *@stop is.
 */
void way_back_nowhere(unsigned long word, const unsigned int *stop, unsigned int *inside);
