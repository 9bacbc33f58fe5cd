// SPDX-License-Identifier: MIT
/* Power State Coordination Interface (Arm DEN0022): starting CPUs, ending the machine. */
#pragma once

#include "base/types.h"

/* How the firmware is called. Before any other call. */
void psci_init(bool use_smc);

/**
 * psci_cpu_on() - start a CPU
 * @mpidr: its affinity fields
 * @entry: physical address, entered with MMU and caches off
 * @arg: what it finds in x0
 *
 * Return: 0, -ENODEV when the firmware refuses.
 */
int __must_check psci_cpu_on(u64 mpidr, unsigned long entry, unsigned long arg);

/* Returns only where there is no firmware. */
void psci_system_off(void);

/* Does a KVM hypervisor answer our calls? */
bool psci_is_kvm(void);
