// SPDX-License-Identifier: MIT
/*
 * What core stands on, pretended: symbols, sites, patching, the code pool, CPUs.
 *
 * A "call" of a site goes where its target says; the code of a trampoline is the
 * array of calls it was asked for. Everything is allocated by malloc, so that the
 * sanitizers see each use of what was freed. Any allocation can be made to fail.
 */
#pragma once

#include "base/types.h"
#include "core/ftrace.h"

#define FAKE_SITE_BYTES	16
#define FAKE_TEXT	0x10000UL

/* Make nr functions; NULL in names: its name is "f<number>". One site each, at its entry. */
void fake_sites(unsigned int nr, const char *const *names);

/* "alias<number>" is another name of a function. A function without site: i-th of fake_sites() loses its record. */
void fake_remove_record(unsigned int function);

unsigned long fake_ip(unsigned int function);

/* The counters of ops that only count, by CPU. */
extern unsigned long fake_counters[2][8];
extern unsigned int fake_nr_counters;

/* The code pool has no room for anything. */
extern bool fake_pool_full;

/* Address of a function of the test that is a leaf or direct op: a symbol of 16 bytes. */
extern unsigned long fake_own_code;
extern bool fake_own_code_is_far;	/* no site reaches it */

/* Call a function as the image would. Return: its target was on. */
bool fake_call(unsigned int function);

/* What can fail next: counts down at each step that may; -1 never. */
extern int fake_fail_after;
extern unsigned int fake_steps;		/* such steps so far */
extern bool fake_failed;

/* What is allocated now: memory objects of core, blocks of code. */
extern unsigned int fake_objects, fake_blocks;
extern size_t fake_bytes;		/* asked for so far, and zeroed */

extern unsigned int fake_batches, fake_pokes, fake_code_rounds;
extern unsigned int fake_published;	/* blocks published so far */
extern bool fake_sleep_allowed, fake_watching, fake_smp;

/* Text was changed without a round. */
extern bool fake_unsettled;

/* May be NULL: called where a batch begins. */
extern void (*fake_in_patch)(void);

/* A graph user's stub: two instructions that call, of which the second can be made a nop. */
#define FAKE_CALL	0xcc
#define FAKE_NOP	0x11

/* A message was printed that has this text in it; forgets all messages. */
bool fake_printed(const char *text);

/* A check of a test; counts and reports. */
void check_at(const char *file, int line, bool cond, const char *what);
#define check(cond)	check_at(__FILE__, __LINE__, cond, #cond)
int check_summary(void);
