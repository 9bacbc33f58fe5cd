// SPDX-License-Identifier: MIT
/*
 * PVH start info (Xen: public/arch-x86/hvm/start_info.h) and multiboot2 boot
 * information (Multiboot2 specification, 3.6). boot/ has made sure that the
 * block is one of the two: PVH's begins with a magic, multiboot2's with its size.
 */
#include "boards/drivers/x86_loader.h"
#include "base/errno.h"

#define PVH_MAGIC	0x336ec578
#define MEMORY_RAM	1		/* the same number in both protocols */

struct pvh_info {
	u32 magic, version, flags, nr_modules;
	u64 modules, cmdline, rsdp;
	u64 memory_map;			/* from version 1 on */
	u32 nr_memory, reserved;
};

struct memory_entry {			/* the same layout in both protocols */
	u64 start, size;
	u32 type, reserved;
};

enum {
	MB2_TAG_END = 0,
	MB2_TAG_CMDLINE = 1,
	MB2_TAG_MEMORY = 6,
	MB2_TAG_RSDP_OLD = 14,
	MB2_TAG_RSDP_NEW = 15,
};

struct mb2_tag {
	u32 type, size;
};

struct mb2_memory {
	struct mb2_tag tag;
	u32 entry_size, entry_version;
};

static void visit_memory(unsigned long first, unsigned long end, size_t stride,
			 void (*memory)(u64 start, u64 size))
{
	for (; stride && first + stride <= end; first += stride) {
		const struct memory_entry *e = (const struct memory_entry *)first;

		if (e->type == MEMORY_RAM && e->size)
			memory(e->start, e->size);
	}
}

static void parse_pvh(const struct pvh_info *pvh, struct x86_loader *info,
		      void (*memory)(u64 start, u64 size))
{
	info->protocol = "PVH";
	info->cmdline = (const char *)pvh->cmdline;
	info->rsdp = pvh->rsdp;
	if (pvh->version >= 1)
		visit_memory(pvh->memory_map,
			     pvh->memory_map + pvh->nr_memory * sizeof(struct memory_entry),
			     sizeof(struct memory_entry), memory);
}

static void parse_mb2_tag(const struct mb2_tag *tag, struct x86_loader *info,
			  void (*memory)(u64 start, u64 size))
{
	const struct mb2_memory *map = (const struct mb2_memory *)tag;

	switch (tag->type) {
	case MB2_TAG_CMDLINE:
		info->cmdline = (const char *)(tag + 1);
		break;
	case MB2_TAG_RSDP_OLD:
		if (!info->rsdp)
			info->rsdp = (unsigned long)(tag + 1);
		break;
	case MB2_TAG_RSDP_NEW:
		info->rsdp = (unsigned long)(tag + 1);
		break;
	case MB2_TAG_MEMORY:
		visit_memory((unsigned long)(map + 1), (unsigned long)tag + tag->size,
			     map->entry_size, memory);
		break;
	}
}

int x86_loader_parse(unsigned long block, struct x86_loader *info,
		     void (*memory)(u64 start, u64 size))
{
	const struct mb2_tag *tag;
	unsigned long end;

	*info = (struct x86_loader){ .protocol = "unknown" };
	if (!block)
		return -EINVAL;
	if (*(const u32 *)block == PVH_MAGIC) {
		parse_pvh((const struct pvh_info *)block, info, memory);
		return 0;
	}

	info->protocol = "multiboot2";
	end = block + *(const u32 *)block;
	tag = (const struct mb2_tag *)(block + 8);
	while ((unsigned long)(tag + 1) <= end && tag->type != MB2_TAG_END && tag->size >= sizeof(*tag)) {
		parse_mb2_tag(tag, info, memory);
		tag = (const struct mb2_tag *)((unsigned long)tag + ALIGN_UP(tag->size, 8));
	}
	return 0;
}
