# SPDX-License-Identifier: MIT
# Images that only tests and benchmarks boot, linked of the others' objects. The Makefile includes this
# behind its own images.

# The big image: all of tests.elf and 20,000 generated functions more, written once for all boards
# and compiled in parts, so that several compilers share the work and a rebuild finds it done.
GENERATED := $(O)/generated
GENERATED_PARTS = 00 01 02 03 04 05 06 07 table
GENERATED_SOURCES = $(GENERATED_PARTS:%=$(GENERATED)/generated-%.c)
GENERATED_OBJECTS = $(GENERATED_PARTS:%=$(BUILD)/generated/%.o)

$(GENERATED_SOURCES) &: tools/generate-functions
	$(call say,GEN,$(GENERATED))
	$(Q)tools/generate-functions 20000 1600 8 $(GENERATED) && touch $(GENERATED_SOURCES)
$(BUILD)/generated/%.o: $(GENERATED)/generated-%.c bench/generated.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(call cflags_of,bench/generated.c) -g0 -c -o $@ $<

$(BUILD)/big.elf: $(IMAGE_OBJECTS) $(TEST_OBJECTS) $(GENERATED_OBJECTS) $(LINK_INPUTS)
	$(call say,LINK,$@)
	$(call link_image,$@,$(IMAGE_OBJECTS) $(TEST_OBJECTS) $(GENERATED_OBJECTS))
	$(Q)$(OBJCOPY) -O binary $@ $(@:.elf=.bin)

# The far image: tests.elf with its code pool moved so far off that branches from half of its text do
# not reach the end; where arch.mk says how far branches go.
$(BUILD)/far.lds: LDS_FLAGS = \
	'-DLAYOUT_POOL_GAP=($(BRANCH_REACH) - BOARD_CODE_POOL_SIZE - (. - __text_start) / 2)' \
	'-DLAYOUT_MOST_TEXT=2 * $(BRANCH_REACH)'
$(BUILD)/far.elf: LDS = $(BUILD)/far.lds
$(BUILD)/far.elf: $(IMAGE_OBJECTS) $(TEST_OBJECTS) $(LINK_INPUTS) $(BUILD)/far.lds
	$(call say,LINK,$@)
	$(call link_image,$@,$(IMAGE_OBJECTS) $(TEST_OBJECTS))
	$(Q)$(OBJCOPY) -O binary $@ $(@:.elf=.bin)
-include $(BUILD)/far.lds.d

# A mutant: tests.elf in which one object defines a function again, and the original's name is weak,
# or in which a file was compiled again with other words in it. tools/mutants sets MUTANT (its name)
# and either MUTANT_SOURCE and MUTANT_REPLACES (file.c:function ...) or MUTANT_CHANGES (file.c, whose
# changed copy it has put into the mutant's folder).
ifdef MUTANT
MUTANT_BUILD := $(BUILD)/mutants/$(MUTANT)
MUTANT_FILES := $(sort $(foreach r,$(MUTANT_REPLACES),$(firstword $(subst :, ,$(r)))))
MUTANT_OBJECTS = $(filter-out $(MUTANT_FILES:%=$(BUILD)/%.o) $(MUTANT_CHANGES:%=$(BUILD)/%.o),$(IMAGE_OBJECTS) $(TEST_OBJECTS)) \
	$(MUTANT_FILES:%=$(MUTANT_BUILD)/%.o) $(MUTANT_CHANGES:%=$(MUTANT_BUILD)/%.o) $(MUTANT_SOURCE:%=$(BUILD)/%.o)
$(MUTANT_FILES:%=$(MUTANT_BUILD)/%.o): $(MUTANT_BUILD)/%.o: $(BUILD)/%.o FORCE
	@mkdir -p $(@D)
	$(Q)OBJCOPY=$(OBJCOPY) OBJDUMP=$(OBJDUMP) tools/weaken $< $@ $(patsubst $*:%,%,$(filter $*:%,$(MUTANT_REPLACES)))
$(MUTANT_CHANGES:%=$(MUTANT_BUILD)/%.o): $(MUTANT_BUILD)/%.o: $(MUTANT_BUILD)/% FORCE
	$(Q)$(CC) $(if $(filter %.S,$<),$(BASE_ASFLAGS) $(CFLAGS_$*),$(call cflags_of,$*)) -w -c -o $@ $<
$(MUTANT_BUILD)/tests.elf: $(MUTANT_OBJECTS) $(LINK_INPUTS)
	$(call say,MUTANT,$@)
	$(call link_image,$@,$(MUTANT_OBJECTS))
	$(Q)$(OBJCOPY) -O binary $@ $(@:.elf=.bin)
.PHONY: mutant-image
mutant-image: $(MUTANT_BUILD)/tests.elf
endif
