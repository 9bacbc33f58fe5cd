// SPDX-License-Identifier: MIT
/* Ending an emulated arm64 machine by semihosting ("Semihosting for AArch32 and AArch64"). */
#pragma once

/*
 * SYS_EXIT_EXTENDED with @code. Only where an emulator answers: elsewhere the
 * instruction is undefined.
 */
void arm64_semihosting_exit(int code);
