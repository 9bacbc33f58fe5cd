// SPDX-License-Identifier: MIT
/* The command line as k=v pairs; values may be quoted with " or '. */
#pragma once

#include "base/types.h"

/* Split machine.cmdline, once. A malformed word is reported and ignored. */
void cmdline_init(void);

/* The value of the last @key=..., @fallback when there is none ("" for a key without =). */
const char *cmdline_get(const char *key, const char *fallback);

/**
 * cmdline_number() - a number (decimal or 0x...)
 * @key: the key
 * @fallback: when it is absent
 * @low: smallest allowed
 * @high: largest allowed
 *
 * A bad value: one clear line that says what would be right, then the kernel
 * ends with a failing exit code.
 */
unsigned long cmdline_number(const char *key, unsigned long fallback,
			     unsigned long low, unsigned long high);

/**
 * cmdline_check() - are all words keys that somebody knows?
 * @who: the job that is about to run
 * @keys: those it asks for, ended by NULL; the kernel's own are known as well
 *
 * Return: false, with lines that name the unknown keys and those there are, or
 * when a word was ignored by cmdline_init().
 */
bool __must_check cmdline_check(const char *who, const char *const *keys);

/* Report keys nobody asked for (a misspelt parameter); returns how many. */
unsigned int cmdline_report_unused(void);
