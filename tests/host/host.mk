# SPDX-License-Identifier: MIT
# Host tests that make builds: one program each, with the sanitizers.

# core/ on a pretended world below it: symbols, sites, patching, the code pool, CPUs.
CORE_ON_HOST := tests/host/core/fake.c tests/host/core/fake_graph.c $(wildcard core/*.c) base/host.c base/print.c base/sort.c base/bug.c
$(foreach t,filters kinds midway mixture quiesce quiesce_all fgraph,\
	$(call host_test,core-$(t),tests/host/core/$(t).c $(CORE_ON_HOST),-Itests/host/core -lpthread))
$(call host_test,core-big,tests/host/core/big.c $(CORE_ON_HOST),-Itests/host/core -lpthread -Xlinker --wrap=ops_set_at -Xlinker --wrap=ops_set_after)
$(call host_test,core-register,tests/host/core/register.c tests/host/core/third.c $(CORE_ON_HOST),-Itests/host/core -lpthread)

# patch/ for an ISA that records what is done to text. What trap handlers are given goes by way of the test.
PATCH_ON_HOST := tests/host/arch/fake.c $(wildcard patch/*.c) base/host.c base/print.c base/sort.c base/bug.c
$(foreach t,batch claims keys pool sites trap,\
	$(call host_test,patch-$(t),tests/host/patch/$(t).c $(PATCH_ON_HOST),-fno-pie -no-pie -fno-builtin -Itests/host/arch -lpthread -Xlinker --wrap=text_poke_publish))

# A driver that reads what firmware wrote.
$(call host_test,acpi,tests/host/boards/acpi.c boards/drivers/acpi.c)
