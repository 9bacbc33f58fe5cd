// SPDX-License-Identifier: MIT
/* Pages, and what malloc stands on. */
#pragma once

#include "base/types.h"

/* From `machine`'s memory less the image and what boot data needs. */
void mm_init(void);

/**
 * page_alloc() - physically contiguous pages, identity mapped, zeroed
 * @order: 2^order pages
 *
 * Any context but NMI. Return: NULL when there are none.
 */
void *page_alloc(unsigned int order);
void page_free(void *p, unsigned int order);
#define PAGE_MAX_ORDER	12		/* 16 MiB */

/* As page_alloc(), not zeroed. */
void *page_alloc_dirty(unsigned int order);

/* What an allocated block was allocated with; BUG when it is none. */
unsigned int page_order(const void *p);

/* Blocks of any size for the runtime and the kernel; see base/host.h, host_alloc(). */
void *kalloc(size_t bytes);
void kfree(void *p);

size_t mm_total_bytes(void);
size_t mm_free_bytes(void);
