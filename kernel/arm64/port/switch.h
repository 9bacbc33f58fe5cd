// SPDX-License-Identifier: MIT
/* The frame that switch_to() leaves on a thread's stack; drawn in switch.S. */
#pragma once

#define SWITCH_FRAME_BYTES	96
#define SWITCH_FRAME_FP		80

#ifndef __ASSEMBLY__
struct switch_frame {
	unsigned long x19_x28[10];
	unsigned long fp, pc;
};

/* Where a new thread begins; goes on to thread_start(). */
void arm64_thread_entry(void);
#endif
