// SPDX-License-Identifier: MIT
/* Functions whose records are special, each in the file that is named like its kind. */
#pragma once

/* Overridden: records_weak.c has a weak body, records_strong.c the one that counts. x + 2 */
unsigned long rec_overridden(unsigned long x);
/* Beside the weak body, without site. x + 3 */
unsigned long rec_neighbour(unsigned long x);

/* Clones: called so that the compiler makes rec_cloned.constprop.N and, on some ISAs, *.cold. */
unsigned long rec_call_clones(unsigned long x);

/* Its inner function has its static chain in a register when it is entered. 3 * x + 1 */
unsigned long rec_nest(unsigned long x);

/* Built with landing pads where the ISA has them. x + 4 */
unsigned long rec_padded(unsigned long x);
