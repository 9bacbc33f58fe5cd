// SPDX-License-Identifier: MIT
/* Sites are pretended: nothing is inline. */
#pragma once
