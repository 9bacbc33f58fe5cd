// SPDX-License-Identifier: MIT
/*
 * ACPI: root pointer -> root table -> MADT. ACPI 6.4: 5.2.5 (RSDP), 5.2.7 (RSDT),
 * 5.2.8 (XSDT), 5.2.12 (MADT). A table with a wrong checksum is not believed, nor is one
 * that does not lie where memory is mapped, nor a field that lies behind its entry's end.
 */
#include "boards/drivers/acpi.h"
#include "base/errno.h"
#include "base/string.h"

#define BIOS_START	0xe0000UL	/* where a BIOS puts the root pointer, on a 16-byte boundary */
#define BIOS_END	0x100000UL
#define REACH_END	0x100000000UL	/* what the early page tables map */

struct rsdp {
	char signature[8];
	u8 checksum;
	char oem[6];
	u8 revision;
	u32 rsdt;
	u32 length;			/* from revision 2 on */
	u64 xsdt;
	u8 extended_checksum;
	u8 reserved[3];
} __packed;

#define RSDP_OLD_BYTES	20

struct table {
	char signature[4];
	u32 length;
	u8 revision, checksum;
	char oem[6], oem_table[8];
	u32 oem_revision, creator, creator_revision;
} __packed;

struct madt {
	struct table header;
	u32 lapic_address;
	u32 flags;
} __packed;

enum {
	MADT_LAPIC = 0,
	MADT_IOAPIC = 1,
	MADT_ISA_OVERRIDE = 2,
	MADT_LAPIC_ADDRESS = 5,
	MADT_X2APIC = 9,
};

#define MADT_CPU_ENABLED	1

union madt_entry {
	struct {
		u8 type, length;
	} __packed head;
	struct {
		u8 type, length, acpi_id, apic_id;
		u32 flags;
	} __packed lapic;
	struct {
		u8 type, length, id, reserved;
		u32 address, gsi_base;
	} __packed ioapic;
	struct {
		u8 type, length, bus, source;
		u32 gsi;
		u16 flags;
	} __packed override;
	struct {
		u8 type, length;
		u16 reserved;
		u64 address;
	} __packed lapic_address;
	struct {
		u8 type, length;
		u16 reserved;
		u32 apic_id, flags, acpi_id;
	} __packed x2apic;
};

#define ENTRY_BYTES(member)	sizeof(((union madt_entry *)NULL)->member)

static bool sums_to_zero(const void *p, size_t n)
{
	const u8 *byte = p;
	u8 sum = 0;

	while (n--)
		sum += *byte++;
	return sum == 0;
}

/* The second checksum, over all of it, came with revision 2. */
static bool is_rsdp(const struct rsdp *rsdp)
{
	if (memcmp(rsdp->signature, "RSD PTR ", 8) || !sums_to_zero(rsdp, RSDP_OLD_BYTES))
		return false;
	return rsdp->revision < 2 ||
	       (rsdp->length == sizeof(*rsdp) && sums_to_zero(rsdp, sizeof(*rsdp)));
}

static const struct rsdp *find_rsdp(unsigned long given)
{
	if (given)
		return is_rsdp((const struct rsdp *)given) ? (const struct rsdp *)given : NULL;
	for (unsigned long p = BIOS_START; p < BIOS_END; p += 16)
		if (is_rsdp((const struct rsdp *)p))
			return (const struct rsdp *)p;
	return NULL;
}

static const struct table *table_at(u64 address)
{
	const struct table *t = (const struct table *)(unsigned long)address;

	if (!address || address > REACH_END - sizeof(*t))
		return NULL;
	return t->length >= sizeof(*t) && t->length <= REACH_END - address ? t : NULL;
}

/* The root table's entries follow its header: 8 bytes each in the XSDT, 4 in the RSDT. */
static const struct table *find_table(const struct rsdp *rsdp, const char *signature)
{
	bool wide = rsdp->revision >= 2 && table_at(rsdp->xsdt);
	const struct table *rsdt = table_at(wide ? rsdp->xsdt : rsdp->rsdt);
	size_t stride = wide ? sizeof(u64) : sizeof(u32);

	if (!rsdt || !sums_to_zero(rsdt, rsdt->length))
		return NULL;
	for (size_t at = sizeof(*rsdt); at + stride <= rsdt->length; at += stride) {
		u64 address = 0;
		const struct table *t;

		memcpy(&address, (const u8 *)rsdt + at, stride);
		t = table_at(address);
		if (t && !memcmp(t->signature, signature, 4))
			return t;
	}
	return NULL;
}

static void add_cpu(struct acpi_madt *madt, u32 apic_id, u32 flags)
{
	if (!(flags & MADT_CPU_ENABLED))
		return;
	if (madt->nr_cpus < ACPI_MAX_CPUS)
		madt->apic_id[madt->nr_cpus] = apic_id;
	madt->nr_cpus++;
}

/* Does it have all the fields of its kind? */
static bool is_whole(const union madt_entry *e)
{
	static const u8 bytes[] = {
		[MADT_LAPIC] = ENTRY_BYTES(lapic),
		[MADT_IOAPIC] = ENTRY_BYTES(ioapic),
		[MADT_ISA_OVERRIDE] = ENTRY_BYTES(override),
		[MADT_LAPIC_ADDRESS] = ENTRY_BYTES(lapic_address),
		[MADT_X2APIC] = ENTRY_BYTES(x2apic),
	};

	return e->head.type >= ARRAY_SIZE(bytes) || e->head.length >= bytes[e->head.type];
}

static void read_entry(const union madt_entry *e, struct acpi_madt *madt)
{
	if (!is_whole(e))
		return;
	switch (e->head.type) {
	case MADT_LAPIC:
		add_cpu(madt, e->lapic.apic_id, e->lapic.flags);
		break;
	case MADT_X2APIC:
		add_cpu(madt, e->x2apic.apic_id, e->x2apic.flags);
		break;
	case MADT_IOAPIC:
		if (e->ioapic.gsi_base == 0)
			madt->ioapic_address = e->ioapic.address;
		break;
	case MADT_ISA_OVERRIDE:
		if (e->override.bus == 0 && e->override.source < ARRAY_SIZE(madt->isa_gsi)) {
			madt->isa_gsi[e->override.source] = e->override.gsi;
			madt->isa_flags[e->override.source] = e->override.flags;
		}
		break;
	case MADT_LAPIC_ADDRESS:
		madt->lapic_address = e->lapic_address.address;
		break;
	}
}

int acpi_find_madt(unsigned long rsdp_address, struct acpi_madt *madt)
{
	const struct rsdp *rsdp = find_rsdp(rsdp_address);
	const struct table *table = rsdp ? find_table(rsdp, "APIC") : NULL;
	const u8 *p, *end;

	memset(madt, 0, sizeof(*madt));
	for (unsigned int i = 0; i < ARRAY_SIZE(madt->isa_gsi); i++)
		madt->isa_gsi[i] = i;
	if (!table)
		return -ENODEV;
	if (table->length < sizeof(struct madt) || !sums_to_zero(table, table->length))
		return -EINVAL;

	madt->lapic_address = ((const struct madt *)table)->lapic_address;
	p = (const u8 *)table + sizeof(struct madt);
	end = (const u8 *)table + table->length;
	while (p + 2 <= end && p[1] >= 2 && p + p[1] <= end) {
		read_entry((const union madt_entry *)p, madt);
		p += p[1];
	}
	return 0;
}
