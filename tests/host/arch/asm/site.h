// SPDX-License-Identifier: MIT
/* Nothing of the recording ISA's sites is inline. */
#pragma once
