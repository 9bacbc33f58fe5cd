// SPDX-License-Identifier: MIT
/* Assembly that keeps return addresses in registers, or others there that are none. */
#pragma once

/* What way_back_leaf() waits for and tells; offsets below. */
struct way_back {
	unsigned int inside;	/* it was called */
	unsigned int turn;	/* may move its way back to another register */
	unsigned int leave;
	unsigned int left;
};

extern struct way_back way_back;

/* A leaf. Until it is told to turn, all is as its caller left it. */
void way_back_leaf(void);

/* A callback; its return address stays where its caller put it. */
void way_back_callee(void);

/* Has @word in all registers that hold no return address, on no stack, until *@stop is set. */
void way_back_nowhere(unsigned long word, const unsigned int *stop);
