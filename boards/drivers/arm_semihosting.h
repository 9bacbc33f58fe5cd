// SPDX-License-Identifier: MIT
/* Ending an emulated ARM machine by semihosting (ARM IHI "Semihosting for AArch32 and AArch64"). */
#pragma once

/*
 * SYS_EXIT_EXTENDED with @code. Returns where nobody answers: on hardware the
 * instruction is an SWI like any other.
 */
void arm_semihosting_exit(int code);
