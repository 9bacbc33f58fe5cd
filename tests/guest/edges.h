// SPDX-License-Identifier: MIT
/* Functions whose sites lie at the ends of pages, lines and text: <isa>/edges.S. */
#pragma once

/* Each returns its argument plus its number here; the list ends with NULL. */
typedef unsigned long (*edge_t)(unsigned long x);
extern const edge_t edge_functions[];
extern const unsigned int edge_site_bytes;
