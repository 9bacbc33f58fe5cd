// SPDX-License-Identifier: MIT
/* The dispatch design that a benchmark runs with. */
#pragma once

/**
 * choose_design() - select what the command line's `dispatch=` names
 *
 * Without it the design stays as it is. Return: 0; 1 on an error, which has been said.
 */
int choose_design(void);
