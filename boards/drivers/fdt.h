// SPDX-License-Identifier: MIT
/*
 * Reader of flattened device trees (Devicetree Specification v0.4, chapter 5).
 *
 * A node is the offset of its FDT_BEGIN_NODE token in the structure block. All
 * reads stay inside the blob, whatever it says; no memory is needed.
 */
#pragma once

#include "base/types.h"

struct fdt {
	const u8 *blob;
	u32 size;		/* bytes of the whole blob */
	u32 structure;		/* offset of the structure block */
	u32 structure_end;
	u32 strings;		/* offset of the names of properties */
};

#define FDT_NONE	(-1)

/* Return: false when there is no device tree at @blob. */
bool fdt_open(struct fdt *fdt, const void *blob);

/**
 * fdt_next() - the next node in document order
 * @fdt: the tree
 * @node: a node, or FDT_NONE for the root
 * @depth: kept up to date; 0 is the root. May be NULL.
 *
 * Return: the node, FDT_NONE at the end.
 */
int fdt_next(const struct fdt *fdt, int node, int *depth);

int fdt_parent(const struct fdt *fdt, int node);
const char *fdt_name(const struct fdt *fdt, int node);

/**
 * fdt_property() - a property's value
 * @fdt: the tree
 * @node: its node
 * @name: its name
 * @len: bytes of the value, out; may be NULL
 *
 * Return: the value as it lies in the blob (big endian, 4-byte aligned), NULL when there is none.
 */
const void *fdt_property(const struct fdt *fdt, int node, const char *name, u32 *len);

/* The @index-th cell of a property; false when it has none. */
bool fdt_cell(const struct fdt *fdt, int node, const char *name, unsigned int index, u32 *value);

/* A property that is one terminated string; NULL when it is not. */
const char *fdt_string(const struct fdt *fdt, int node, const char *name);

/* Is @text among the strings of a property? */
bool fdt_has_string(const struct fdt *fdt, int node, const char *name, const char *text);

/**
 * fdt_reg() - the @index-th address and size of "reg", in the cells of the parent
 * @size: 0 where the parent has no size cells; may be NULL
 *
 * Addresses are the parent bus's: right as they are for nodes at the root.
 */
bool fdt_reg(const struct fdt *fdt, int node, unsigned int index, u64 *addr, u64 *size);

/* Node after @node (FDT_NONE: from the start) that is @compatible and not disabled. */
int fdt_find_compatible(const struct fdt *fdt, int node, const char *compatible);

/* Node by full path from the root, unit addresses included: "/chosen". */
int fdt_find_path(const struct fdt *fdt, const char *path);

/* "status" absent, "okay" or "ok". */
bool fdt_is_enabled(const struct fdt *fdt, int node);

/* The @index-th entry of the memory reservation block; false when there are no more. */
bool fdt_reservation(const struct fdt *fdt, unsigned int index, u64 *start, u64 *size);
