/* SPDX-License-Identifier: MIT */
/* Where the running thread's shadow pointer is, %gs:40, checked in cpu.c; and what longjmp needs. */
#pragma once

#define HOST_SHADOW_SP	40
#define PORT_JMP_BUF_SP	6	/* word of newlib's jmp_buf that sp is in */
