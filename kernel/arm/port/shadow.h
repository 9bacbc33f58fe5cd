/* SPDX-License-Identifier: MIT */
/* The runtime has a place of its own for the shadow pointer here; and what longjmp needs. */
#pragma once

#define PORT_JMP_BUF_SP	9	/* word of newlib's jmp_buf that sp is in */
