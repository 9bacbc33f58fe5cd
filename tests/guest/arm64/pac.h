// SPDX-License-Identifier: MIT
/* Functions that are compiled with landing pads and signed return addresses. */
#pragma once

/* Calls pac_inner(). Returns x + 3. */
unsigned long pac_outer(unsigned long x);
unsigned long pac_inner(unsigned long x);
