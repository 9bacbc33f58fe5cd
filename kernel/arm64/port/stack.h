// SPDX-License-Identifier: MIT
/* Size of the stack on which a CPU reports that its stack has overflowed. */
#pragma once

#define EMERGENCY_STACK_SHIFT	13
