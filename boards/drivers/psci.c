// SPDX-License-Identifier: MIT
/* Power State Coordination Interface, and the one question we ask of a hypervisor by the same way. */
#include "boards/drivers/psci.h"

#include "base/errno.h"

#define PSCI_SYSTEM_OFF		0x84000008
#define PSCI_CPU_ON		0xc4000003

/* SMC Calling Convention (Arm DEN0028): UUID of who answers vendor hypervisor calls. */
#define VENDOR_HYP_UID		0x8600ff01
#define KVM_UID_0		0xb66fb428

static bool smc;

void psci_init(bool use_smc)
{
	smc = use_smc;
}

/* In: function and arguments. Out: x0; the convention lets x1-x17 change. */
static u64 call(u64 function, u64 a, u64 b, u64 c)
{
	register u64 x0 __asm__("x0") = function;
	register u64 x1 __asm__("x1") = a;
	register u64 x2 __asm__("x2") = b;
	register u64 x3 __asm__("x3") = c;

#define CLOBBERS "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "memory"
	if (smc)
		__asm__ volatile("smc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : CLOBBERS);
	else
		__asm__ volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : : CLOBBERS);
	return x0;
}

int psci_cpu_on(u64 mpidr, unsigned long entry, unsigned long arg)
{
	return (s32)call(PSCI_CPU_ON, mpidr, entry, arg) ? -ENODEV : 0;
}

void psci_system_off(void)
{
	call(PSCI_SYSTEM_OFF, 0, 0, 0);
}

bool psci_is_kvm(void)
{
	return (u32)call(VENDOR_HYP_UID, 0, 0, 0) == KVM_UID_0;
}
