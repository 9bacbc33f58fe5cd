// SPDX-License-Identifier: MIT
/* ACPI tables as firmware makes them and as it should not: what is read of them. */
#include "boards/drivers/acpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/errno.h"

static unsigned int nr_checks, nr_failures;

#define check(cond) do { \
	nr_checks++; \
	if (!(cond)) { \
		nr_failures++; \
		fprintf(stderr, "FAIL: %s:%d: %s\n", __FILE__, __LINE__, #cond); \
	} \
} while (0)

/*
 * The tables lie below 4 GiB, each at the end of a page, with nothing behind it: who reads
 * too far dies.
 */
#define PAGES	3
static u8 *pages;
static u8 *rsdp, *root, *table;
static size_t table_bytes;

static u8 *at_end_of_page(unsigned int page, size_t bytes)
{
	u8 *at = pages + 2 * page * PAGE_SIZE + PAGE_SIZE - bytes;

	memset(at, 0, bytes);
	return at;
}

static void map_pages(void)
{
	pages = mmap((void *)0x40000000UL, 2 * PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || (unsigned long)pages >> 31) {
		printf("SKIP: no memory below 2 GiB\n");
		exit(77);
	}
	for (unsigned int i = 0; i < PAGES; i++)
		mprotect(pages + (2 * i + 1) * PAGE_SIZE, PAGE_SIZE, PROT_NONE);
}

static void put(u8 *at, u64 value, size_t bytes)
{
	memcpy(at, &value, bytes);
}

static void make_sum(u8 *at, size_t bytes, u8 *sum)
{
	u8 total = 0;

	*sum = 0;
	for (size_t i = 0; i < bytes; i++)
		total += at[i];
	*sum = -total;
}

static void make_header(u8 *at, const char *signature, size_t bytes)
{
	memcpy(at, signature, 4);
	put(at + 4, bytes, 4);
}

/* An XSDT of one table, the MADT, with these entries. */
static void make(const u8 *entries, size_t bytes)
{
	rsdp = at_end_of_page(0, 36);
	memcpy(rsdp, "RSD PTR ", 8);
	rsdp[15] = 2;
	put(rsdp + 20, 36, 4);
	root = at_end_of_page(1, 36 + 8);
	make_header(root, "XSDT", 36 + 8);
	table_bytes = 44 + bytes;
	table = at_end_of_page(2, table_bytes);
	make_header(table, "APIC", table_bytes);
	put(table + 36, 0xfee00000, 4);
	memcpy(table + 44, entries, bytes);
	put(rsdp + 24, (unsigned long)root, 8);
	put(root + 36, (unsigned long)table, 8);
}

static void make_sums(void)
{
	make_sum(table, table_bytes, table + 9);
	make_sum(root, 36 + 8, root + 9);
	make_sum(rsdp, 20, rsdp + 8);
	make_sum(rsdp, 36, rsdp + 32);
}

static int read_tables(struct acpi_madt *madt)
{
	return acpi_find_madt((unsigned long)rsdp, madt);
}

static struct acpi_madt madt_of(const u8 *entries, size_t bytes)
{
	struct acpi_madt madt;

	make(entries, bytes);
	make_sums();
	check(read_tables(&madt) == 0);
	return madt;
}
#define MADT_OF(...)	madt_of((const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

#define LAPIC(id, flags)	0, 8, 1, id, flags, 0, 0, 0
#define IOAPIC			1, 12, 0, 0, 0x00, 0x00, 0xc0, 0xfe, 0, 0, 0, 0
#define OVERRIDE		2, 10, 0, 4, 20, 0, 0, 0, 0x0f, 0
#define LAPIC_ADDRESS		5, 12, 0, 0, 0x00, 0x10, 0xe0, 0xfe, 0, 0, 0, 0
#define X2APIC(id, flags)	9, 16, 0, 0, id, 1, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0

static void test_good(void)
{
	struct acpi_madt madt = MADT_OF(LAPIC(3, 1), LAPIC(4, 0), X2APIC(5, 1), IOAPIC, OVERRIDE, 200, 2);

	check(madt.nr_cpus == 2 && madt.apic_id[0] == 3 && madt.apic_id[1] == 0x105);
	check(madt.lapic_address == 0xfee00000 && madt.ioapic_address == 0xfec00000);
	check(madt.isa_gsi[4] == 20 && madt.isa_flags[4] == 0xf && madt.isa_gsi[5] == 5);
	madt = MADT_OF(LAPIC_ADDRESS);
	check(madt.lapic_address == 0xfee01000);
}

/* Each kind, one byte too short, as the last of the table. */
static void test_short_entries(void)
{
	static const u8 whole[] = { LAPIC(7, 1), IOAPIC, OVERRIDE, LAPIC_ADDRESS, X2APIC(7, 1) };

	for (const u8 *entry = whole; entry < whole + sizeof(whole); entry += entry[1]) {
		for (u8 bytes = 2; bytes < entry[1]; bytes++) {
			u8 entries[64] = { LAPIC(1, 1) };
			struct acpi_madt madt;

			memcpy(entries + 8, entry, bytes);
			entries[9] = bytes;
			madt = madt_of(entries, 8u + bytes);
			check(madt.nr_cpus == 1 && madt.lapic_address == 0xfee00000);
			check(!madt.ioapic_address && madt.isa_gsi[4] == 4);
		}
	}
}

static void test_lengths(void)
{
	struct acpi_madt madt = MADT_OF(LAPIC(1, 1), 0, 0, 1, 2, 1, 0, 0, 0);

	check(madt.nr_cpus == 1);
	madt = MADT_OF(LAPIC(1, 1), 0, 1, 1, 2, 1, 0, 0, 0);
	check(madt.nr_cpus == 1);
	madt = MADT_OF(LAPIC(1, 1), 0, 9, 1, 2, 1, 0, 0, 0);
	check(madt.nr_cpus == 1);
	madt = MADT_OF(LAPIC(1, 1), 0);
	check(madt.nr_cpus == 1);
}

/* One field of a right set of tables is changed; with right sums or not. */
static int changed(unsigned int which, unsigned int offset, u64 value, size_t bytes, bool sums)
{
	static const u8 entries[] = { LAPIC(1, 1) };
	struct acpi_madt madt;

	make(entries, sizeof(entries));
	if (!sums)
		make_sums();
	put((u8 *[]){ rsdp, root, table }[which] + offset, value, bytes);
	if (sums)
		make_sums();
	return read_tables(&madt);
}

enum { RSDP, ROOT, MADT };

static void test_tables(void)
{
	check(changed(RSDP, 9, 'X', 1, true) == 0);
	check(changed(RSDP, 9, 'X', 1, false) == -ENODEV);	/* both sums */
	check(changed(RSDP, 33, 'X', 1, false) == -ENODEV);	/* the extended one */
	check(changed(RSDP, 20, 20, 4, true) == -ENODEV);	/* lengths that it cannot have */
	check(changed(RSDP, 20, 0xfffffff0, 4, true) == -ENODEV);
	check(changed(ROOT, 10, 'X', 1, false) == -ENODEV);
	check(changed(ROOT, 4, 0, 4, true) == -ENODEV);
	check(changed(ROOT, 4, 0xfffffff0, 4, true) == -ENODEV);
	check(changed(ROOT, 36, 0xffffffff, 8, true) == -ENODEV);
	check(changed(ROOT, 36, 1UL << 40, 8, true) == -ENODEV);
	check(changed(MADT, 10, 'X', 1, false) == -EINVAL);
	check(changed(MADT, 4, 36, 4, true) == -EINVAL);
	check(changed(MADT, 4, 10, 4, true) == -ENODEV);
	check(changed(MADT, 4, 0xfffffff0, 4, true) == -ENODEV);
}

int main(void)
{
	map_pages();
	test_good();
	test_short_entries();
	test_lengths();
	test_tables();
	printf("SUMMARY: %u tests, %u failures, 0 skipped\n", nr_checks, nr_failures);
	return nr_failures > 0;
}
