// SPDX-License-Identifier: MIT
/*
 * What the link-time tools share: an ELF file opened with libelf, of any class
 * and byte order, with its sections and symbols to walk over.
 */
#pragma once

#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct elf_image {
	const char *path;
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	size_t section_names;
	Elf_Data *symbols;	/* NULL when stripped */
	size_t nr_symbols;
	size_t symbol_names;
};

struct elf_section {
	Elf_Scn *scn;
	GElf_Shdr header;
	const char *name;
};

/* What libelf cannot give: the file says something of itself that is not so. */
static inline void elf_need(const struct elf_image *image, bool there)
{
	if (!there)
		errx(1, "%s: damaged ELF file (%s)", image->path, elf_errmsg(-1));
}

static inline const char *elf_string(struct elf_image *image, size_t table, size_t offset)
{
	const char *string = elf_strptr(image->elf, table, offset);

	elf_need(image, string);
	return string;
}

/* Contents of a section that is an array of entries of a type. */
static inline Elf_Data *elf_entries(struct elf_image *image, const struct elf_section *section,
				    Elf_Type type, size_t *nr)
{
	Elf_Data *data = elf_getdata(section->scn, NULL);
	size_t size = gelf_fsize(image->elf, type, 1, EV_CURRENT);

	elf_need(image, data && size && section->header.sh_entsize == size);
	*nr = data->d_size / size;
	return data;
}

/* Steps to the next section; start with a zeroed struct. */
static inline bool elf_next_section(struct elf_image *image, struct elf_section *section)
{
	section->scn = elf_nextscn(image->elf, section->scn);
	if (!section->scn)
		return false;
	elf_need(image, gelf_getshdr(section->scn, &section->header));
	section->name = elf_string(image, image->section_names, section->header.sh_name);
	return true;
}

static inline void elf_open(struct elf_image *image, const char *path)
{
	struct elf_section section = { 0 };

	*image = (struct elf_image){ .path = path };
	elf_version(EV_CURRENT);
	image->fd = open(path, O_RDONLY);
	if (image->fd < 0)
		err(1, "%s", path);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
	    !gelf_getehdr(image->elf, &image->header) ||
	    elf_getshdrstrndx(image->elf, &image->section_names))
		errx(1, "%s: not an ELF file", path);

	while (elf_next_section(image, &section)) {
		if (section.header.sh_type != SHT_SYMTAB)
			continue;
		image->symbols = elf_entries(image, &section, ELF_T_SYM, &image->nr_symbols);
		image->symbol_names = section.header.sh_link;
	}
}

static inline void elf_close(struct elf_image *image)
{
	elf_end(image->elf);
	close(image->fd);
}

static inline const char *elf_symbol(struct elf_image *image, size_t index, GElf_Sym *symbol)
{
	if (!image->symbols || !gelf_getsym(image->symbols, index, symbol))
		errx(1, "%s: no symbol %zu", image->path, index);
	return elf_string(image, image->symbol_names, symbol->st_name);
}

/* Value of a named symbol; ends the program when there is none. */
static inline unsigned long elf_symbol_value(struct elf_image *image, const char *name)
{
	GElf_Sym symbol;

	for (size_t i = 0; i < image->nr_symbols; i++)
		if (!strcmp(elf_symbol(image, i, &symbol), name) && symbol.st_shndx != SHN_UNDEF)
			return symbol.st_value;
	errx(1, "%s: no symbol '%s'", image->path, name);
}

static inline bool elf_is_executable(struct elf_image *image, size_t section_index)
{
	Elf_Scn *scn = elf_getscn(image->elf, section_index);
	GElf_Shdr header;

	return scn && gelf_getshdr(scn, &header) && (header.sh_flags & SHF_EXECINSTR);
}

static inline const char *elf_word_directive(int class)
{
	return class == ELFCLASS64 ? ".quad" : ".long";
}

/* Of an instruction that calls; a literal that holds a routine's address lies in code too. */
static inline bool elf_is_call(const struct elf_image *image, unsigned int type)
{
	switch (image->header.e_machine) {
	case EM_ARM:
		return type == R_ARM_CALL || type == R_ARM_PC24;
	case EM_AARCH64:
		return type == R_AARCH64_CALL26;
	default:
		return type == R_X86_64_PLT32 || type == R_X86_64_PC32;
	}
}

/*
 * Calls @found with the address of each call of the symbol @target in code, by
 * its relocation. Return: how many there were.
 */
static inline size_t elf_for_each_call(struct elf_image *image, const char *target,
				       void (*found)(unsigned long addr))
{
	struct elf_section section = { 0 };
	size_t count = 0;

	while (elf_next_section(image, &section)) {
		bool rela = section.header.sh_type == SHT_RELA;
		Elf_Data *data;
		size_t nr;

		if ((!rela && section.header.sh_type != SHT_REL) ||
		    !elf_is_executable(image, section.header.sh_info))
			continue;
		data = elf_entries(image, &section, rela ? ELF_T_RELA : ELF_T_REL, &nr);
		for (size_t i = 0; i < nr; i++) {
			GElf_Rela entry = { 0 };
			GElf_Sym symbol;

			elf_need(image, rela ? (void *)gelf_getrela(data, i, &entry) :
					       (void *)gelf_getrel(data, i, (GElf_Rel *)&entry));
			if (!elf_is_call(image, GELF_R_TYPE(entry.r_info)) ||
			    strcmp(elf_symbol(image, GELF_R_SYM(entry.r_info), &symbol), target))
				continue;
			count++;
			if (found)
				found(entry.r_offset);
		}
	}
	return count;
}
