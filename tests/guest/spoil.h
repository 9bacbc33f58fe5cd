// SPDX-License-Identifier: MIT
/* In tests/guest/<isa>/spoil.c. */
#pragma once

/* Leaves nothing in any register that a call may clobber: what a callback's caller wants it has to have saved. */
void spoil_registers(void);
