/* SPDX-License-Identifier: MIT */
/* Where the running thread's shadow pointer is: %gs:40, checked in cpu.c. */
#pragma once

#define HOST_SHADOW_SP	40
