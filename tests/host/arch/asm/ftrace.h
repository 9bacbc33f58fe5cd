// SPDX-License-Identifier: MIT
/* No callback of the recording ISA asks for anything. */
#pragma once

struct ftrace_regs;
