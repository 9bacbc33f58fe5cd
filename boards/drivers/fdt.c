// SPDX-License-Identifier: MIT
/* Reader of flattened device trees. */
#include "boards/drivers/fdt.h"

#include "base/string.h"

#define FDT_MAGIC	0xd00dfeed
#define FDT_BEGIN_NODE	1
#define FDT_END_NODE	2
#define FDT_PROP	3
#define FDT_NOP		4
#define FDT_END		9

/* Offsets in the header. */
#define HEADER_TOTALSIZE	4
#define HEADER_STRUCTURE	8
#define HEADER_STRINGS		12
#define HEADER_RESERVATIONS	16
#define HEADER_STRUCTURE_SIZE	36
#define HEADER_BYTES		40

static u32 be32(const u8 *p)
{
	return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}

static u64 be64(const u8 *p)
{
	return (u64)be32(p) << 32 | be32(p + 4);
}

/* A word of the structure block; the end token past its end. */
static u32 token_at(const struct fdt *fdt, u32 offset)
{
	if (offset < fdt->structure || offset + 4 > fdt->structure_end)
		return FDT_END;
	return be32(fdt->blob + offset);
}

/* Bytes of a terminated string with its terminator, at most up to the blob's end. */
static u32 string_bytes(const struct fdt *fdt, u32 offset)
{
	u32 room = offset < fdt->size ? fdt->size - offset : 0;

	return strnlen((const char *)fdt->blob + offset, room) + 1;
}

/* The token behind the one at @offset, and what belongs to it. */
static u32 skip_token(const struct fdt *fdt, u32 offset)
{
	u32 end = offset + 4;

	switch (token_at(fdt, offset)) {
	case FDT_BEGIN_NODE:
		end += string_bytes(fdt, offset + 4);
		break;
	case FDT_PROP:
		end += 8 + token_at(fdt, offset + 4);
		break;
	case FDT_END:
		return offset;
	}
	end = ALIGN_UP(end, 4u);
	return end > offset ? end : fdt->structure_end;
}

bool fdt_open(struct fdt *fdt, const void *blob)
{
	const u8 *p = blob;

	if (!p || (unsigned long)p % 4 || be32(p) != FDT_MAGIC)
		return false;
	fdt->blob = p;
	fdt->size = be32(p + HEADER_TOTALSIZE);
	fdt->structure = be32(p + HEADER_STRUCTURE);
	fdt->structure_end = fdt->structure + be32(p + HEADER_STRUCTURE_SIZE);
	fdt->strings = be32(p + HEADER_STRINGS);
	return fdt->size >= HEADER_BYTES && fdt->structure < fdt->structure_end &&
	       fdt->structure_end <= fdt->size && fdt->strings < fdt->size;
}

int fdt_next(const struct fdt *fdt, int node, int *depth)
{
	u32 offset = node == FDT_NONE ? fdt->structure : skip_token(fdt, node), token;
	int level = node == FDT_NONE ? -1 : depth ? *depth : 0;

	for (; (token = token_at(fdt, offset)) != FDT_END; offset = skip_token(fdt, offset)) {
		if (token == FDT_END_NODE)
			level--;
		if (token != FDT_BEGIN_NODE)
			continue;
		if (depth)
			*depth = level + 1;
		return offset;
	}
	return FDT_NONE;
}

/* The last node before @node that lies one level higher. */
int fdt_parent(const struct fdt *fdt, int node)
{
	int depth = 0, wanted = 0, parent = FDT_NONE, n;

	for (n = fdt_next(fdt, FDT_NONE, &wanted); n != node && n != FDT_NONE; n = fdt_next(fdt, n, &wanted))
		;
	for (n = fdt_next(fdt, FDT_NONE, &depth); n != node && n != FDT_NONE; n = fdt_next(fdt, n, &depth)) {
		if (depth == wanted - 1)
			parent = n;
	}
	return parent;
}

const char *fdt_name(const struct fdt *fdt, int node)
{
	return (const char *)fdt->blob + node + 4;
}

const void *fdt_property(const struct fdt *fdt, int node, const char *name, u32 *len)
{
	u32 offset, token, bytes, name_offset;

	for (offset = skip_token(fdt, node); ; offset = skip_token(fdt, offset)) {
		token = token_at(fdt, offset);
		if (token == FDT_NOP)
			continue;
		if (token != FDT_PROP || fdt->structure_end - offset < 12)
			return NULL;
		bytes = token_at(fdt, offset + 4);
		name_offset = fdt->strings + token_at(fdt, offset + 8);
		if (name_offset >= fdt->size || bytes > fdt->structure_end - offset - 12)
			return NULL;
		if (strncmp((const char *)fdt->blob + name_offset, name, fdt->size - name_offset))
			continue;
		if (len)
			*len = bytes;
		return fdt->blob + offset + 12;
	}
}

bool fdt_cell(const struct fdt *fdt, int node, const char *name, unsigned int index, u32 *value)
{
	u32 len;
	const u8 *p = fdt_property(fdt, node, name, &len);

	if (!p || len / 4 <= index)
		return false;
	*value = be32(p + index * 4);
	return true;
}

const char *fdt_string(const struct fdt *fdt, int node, const char *name)
{
	u32 len;
	const char *p = fdt_property(fdt, node, name, &len);

	return p && len && !p[len - 1] ? p : NULL;
}

bool fdt_has_string(const struct fdt *fdt, int node, const char *name, const char *text)
{
	u32 len;
	const char *p = fdt_property(fdt, node, name, &len);
	const char *end = p + len;

	if (!p || !len || p[len - 1])
		return false;
	for (; p < end; p += strlen(p) + 1) {
		if (!strcmp(p, text))
			return true;
	}
	return false;
}

static u64 read_cells(const u8 *p, unsigned int cells)
{
	u64 value = 0;

	while (cells--) {
		value = value << 32 | be32(p);
		p += 4;
	}
	return value;
}

bool fdt_reg(const struct fdt *fdt, int node, unsigned int index, u64 *addr, u64 *size)
{
	int parent = fdt_parent(fdt, node);
	u32 address_cells = 2, size_cells = 1, len;
	const u8 *p = fdt_property(fdt, node, "reg", &len);

	if (!p || parent == FDT_NONE)
		return false;
	if (!fdt_cell(fdt, parent, "#address-cells", 0, &address_cells) || !address_cells || address_cells > 2)
		address_cells = 2;
	if (!fdt_cell(fdt, parent, "#size-cells", 0, &size_cells) || size_cells > 2)
		size_cells = 1;
	if (len / 4 / (address_cells + size_cells) <= index)
		return false;
	p += (address_cells + size_cells) * 4 * index;
	*addr = read_cells(p, address_cells);
	if (size)
		*size = read_cells(p + address_cells * 4, size_cells);
	return true;
}

bool fdt_is_enabled(const struct fdt *fdt, int node)
{
	const char *status = fdt_string(fdt, node, "status");

	return !status || !strcmp(status, "okay") || !strcmp(status, "ok");
}

int fdt_find_compatible(const struct fdt *fdt, int node, const char *compatible)
{
	while ((node = fdt_next(fdt, node, NULL)) != FDT_NONE) {
		if (fdt_has_string(fdt, node, "compatible", compatible) && fdt_is_enabled(fdt, node))
			return node;
	}
	return FDT_NONE;
}

/* What follows in @path when it begins with this node's name; NULL when it does not. */
static const char *match_name(const struct fdt *fdt, int node, const char *path)
{
	const char *name = fdt_name(fdt, node);
	size_t len = string_bytes(fdt, node + 4) - 1;

	if (strncmp(name, path, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path[len] ? path + len + 1 : path + len;
}

int fdt_find_path(const struct fdt *fdt, const char *path)
{
	int depth = 0, wanted = 1, node = fdt_next(fdt, FDT_NONE, &depth);
	const char *rest;

	path += *path == '/';
	while (*path && (node = fdt_next(fdt, node, &depth)) != FDT_NONE) {
		if (depth < wanted)
			return FDT_NONE;
		rest = depth == wanted ? match_name(fdt, node, path) : NULL;
		if (rest) {
			path = rest;
			wanted++;
		}
	}
	return node;
}

bool fdt_reservation(const struct fdt *fdt, unsigned int index, u64 *start, u64 *size)
{
	u32 offset = be32(fdt->blob + HEADER_RESERVATIONS) + index * 16;

	if (offset > fdt->size - 16)
		return false;
	*start = be64(fdt->blob + offset);
	*size = be64(fdt->blob + offset + 8);
	return *start || *size;
}
