// SPDX-License-Identifier: MIT
/*
 * Fails the link when the table of call sites is not what the objects hold:
 * a record that the linker lost or doubled is a call that is never traced.
 *
 * usage: checkrecords [--mcount ROUTINE] IMAGE OBJECT...
 *
 * The number of records in IMAGE must be that of the objects (their record
 * sections, or with --mcount their calls of ROUTINE), and each must lie in the
 * text in front of the code pool.
 */
#include "elf-image.h"

static size_t word_bytes(struct elf_image *image)
{
	return image->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
}

static size_t records_in_object(const char *path, const char *routine)
{
	struct elf_section section = { 0 };
	struct elf_image object;
	size_t bytes = 0, count;

	elf_open(&object, path);
	while (elf_next_section(&object, &section))
		if (!strcmp(section.name, "__mcount_loc") ||
		    !strcmp(section.name, "__patchable_function_entries"))
			bytes += section.header.sh_size;
	count = bytes / word_bytes(&object);
	if (routine)
		count += elf_for_each_call(&object, routine, NULL);
	elf_close(&object);
	return count;
}

/* The bytes of IMAGE at an address, and how many follow in the same section. */
static const unsigned char *bytes_at(struct elf_image *image, unsigned long addr, size_t size)
{
	struct elf_section section = { 0 };

	while (elf_next_section(image, &section)) {
		GElf_Shdr *h = &section.header;
		Elf_Data *data;

		if (h->sh_type != SHT_PROGBITS || !(h->sh_flags & SHF_ALLOC) || addr < h->sh_addr)
			continue;
		data = elf_rawdata(section.scn, NULL);
		elf_need(image, data);
		if (size <= data->d_size && addr - h->sh_addr <= data->d_size - size)
			return (unsigned char *)data->d_buf + (addr - h->sh_addr);
	}
	errx(1, "%s: table at 0x%lx lies in no section", image->path, addr);
}

static unsigned long read_word(const unsigned char *bytes, size_t size)
{
	unsigned long value = 0;

	while (size--)
		value = value << 8 | bytes[size];
	return value;
}

static void check_range(struct elf_image *image, unsigned long start, size_t count)
{
	unsigned long text = elf_symbol_value(image, "__text_start");
	unsigned long pool = elf_symbol_value(image, "__code_pool_start");
	size_t word = word_bytes(image);
	const unsigned char *table = bytes_at(image, start, count * word);

	for (size_t i = 0; i < count; i++) {
		unsigned long ip = read_word(table + i * word, word);

		if (ip < text || ip >= pool)
			errx(1, "%s: record %zu is 0x%lx, not in text 0x%lx-0x%lx", image->path, i, ip, text, pool);
	}
}

int main(int argc, char **argv)
{
	const char *routine = NULL;
	struct elf_image image;
	size_t expected = 0, count;
	unsigned long start;
	int i = 1;

	if (argc > 3 && !strcmp(argv[1], "--mcount")) {
		routine = argv[2];
		i = 3;
	}
	if (i >= argc)
		errx(2, "usage: checkrecords [--mcount ROUTINE] IMAGE OBJECT...");
	elf_open(&image, argv[i++]);
	for (; i < argc; i++)
		expected += records_in_object(argv[i], routine);

	start = elf_symbol_value(&image, "__start_mcount_loc");
	count = (elf_symbol_value(&image, "__stop_mcount_loc") - start) / word_bytes(&image);
	if (count != expected)
		errx(1, "%s: %zu records, but the objects hold %zu", image.path, count, expected);
	if (count)
		check_range(&image, start, count);
	elf_close(&image);
	return 0;
}
