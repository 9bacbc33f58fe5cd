// SPDX-License-Identifier: MIT
/* CPUs and interrupt controllers from ACPI's MADT. */
#pragma once

#include "base/types.h"

#define ACPI_MAX_CPUS	64

struct acpi_madt {
	u64 lapic_address;
	unsigned int nr_cpus;			/* enabled ones that the table lists */
	u32 apic_id[ACPI_MAX_CPUS];		/* of the first ACPI_MAX_CPUS */
	u64 ioapic_address;			/* the one that has interrupt 0; 0: none */
	u32 isa_gsi[16];			/* input pin of each ISA interrupt */
	u16 isa_flags[16];			/* polarity, trigger: ACPI 6.4, table 5.27 */
};

#define ACPI_POLARITY_MASK	0x3
#define ACPI_POLARITY_LOW	0x3
#define ACPI_TRIGGER_MASK	0xc
#define ACPI_TRIGGER_LEVEL	0xc

/**
 * acpi_find_madt() - read the table
 * @rsdp: address of the root pointer, 0: look where a PC BIOS puts it
 * @madt: filled
 *
 * The tables must be mapped (below 4 GiB under the early page tables).
 * An entry too short for its kind is passed over; one without length, or longer than
 * the table, is the end. Return: 0; -ENODEV without root pointer, root table or MADT that
 * can be believed; -EINVAL for a MADT that is too short or has a wrong checksum.
 */
int __must_check acpi_find_madt(unsigned long rsdp, struct acpi_madt *madt);
