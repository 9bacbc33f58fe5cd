// SPDX-License-Identifier: MIT
/* Checks of the encoders' and the sites' tests of ARM and arm64. */
#pragma once

#include "arch/arch.h"

void check_at(const char *file, int line, int cond);
#define check(cond) check_at(__FILE__, __LINE__, cond)

/* A piece of text that may be patched, and what lies behind it in reach of branches. */
#define TEXT_WORDS	32
extern u32 text[TEXT_WORDS];
extern unsigned long code_pool;

/* Addresses in the order in which arch_text_write() was called. */
extern unsigned long writes[8];
extern unsigned int nr_writes;

/* Put words at the start of text; return what arch_site_check() says of a record at @offset. */
int site_check(const u32 *words, unsigned int n, unsigned int offset, unsigned long size);

/* <isa>/sites.c */
void check_sites(void);
