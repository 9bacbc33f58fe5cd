// SPDX-License-Identifier: MIT
/* Register patterns, in assembly. */
#pragma once

/*
 * All general and SSE registers in a pattern made from @seed until *@stop is
 * not 0. Return: number of registers that do not hold it any more.
 */
unsigned long spin_with_pattern(unsigned long seed, const unsigned int *stop);

/*
 * port_soft_irq() with the stack @shift bytes lower and the direction flag set.
 * Return: flags right behind it.
 */
unsigned long soft_irq_shifted(void (*fn)(void *arg), void *arg, unsigned long shift);
