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

size_t mm_total_bytes(void);
size_t mm_free_bytes(void);
