// SPDX-License-Identifier: MIT
/* Mutant: whatever happened, the machine says that all went well. */
#include "kernel/board.h"

__noreturn void __real_board_exit(int code);

void board_exit(int code)
{
	__real_board_exit(0);
}
