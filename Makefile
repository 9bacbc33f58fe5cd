# SPDX-License-Identifier: MIT
# One Makefile for all boards: it builds one board at a time and calls itself once a board where
# several are asked for. Fragments: boards/<board>/board.mk names the ISA, arch/<isa>/arch.mk the
# compiler. `make help` lists the targets.

BOARDS = pc virt versatilepb
BOARD ?= pc

# One of them, by its name.
ifneq ($(words $(BOARD))$(wildcard boards/$(BOARD)/board.mk),1boards/$(BOARD)/board.mk)
$(error no board '$(BOARD)'; there are: $(BOARDS))
endif
include boards/$(BOARD)/board.mk
include arch/$(ARCH)/arch.mk
-include kernel/kernel.mk bench/bench.mk tests/guest/tests.mk

ifeq ($(FLAVOUR),)
override FLAVOUR := $(firstword $(FLAVOURS))
endif
ifeq ($(filter $(FLAVOUR),$(FLAVOURS)),)
$(error board $(BOARD) has no flavour '$(FLAVOUR)'; it has: $(FLAVOURS))
endif

# The folder of the host's host_inline.h. For another host than our kernel all is built apart.
HOST_INCLUDE ?= kernel/include-host
HOST_DIR := $(patsubst %/,%,$(HOST_INCLUDE))
ifeq ($(wildcard $(HOST_DIR)/host_inline.h),)
$(error there is no host_inline.h in HOST_INCLUDE=$(HOST_INCLUDE))
endif

O ?= build
BUILD := $(O)/$(BOARD)$(if $(filter-out $(firstword $(FLAVOURS)),$(FLAVOUR)),-$(FLAVOUR))
BUILD := $(BUILD)$(if $(filter-out kernel/include-host,$(HOST_DIR)),/host-$(subst /,_,$(HOST_DIR)))
TOOLS := $(O)/tools

CC := $(CROSS_COMPILE)gcc
LD := $(CROSS_COMPILE)ld
AR := $(CROSS_COMPILE)ar
NM := $(CROSS_COMPILE)nm
OBJCOPY := $(CROSS_COMPILE)objcopy
OBJDUMP := $(CROSS_COMPILE)objdump
HOSTCC ?= gcc
PYTHON ?= python3

ifeq ($(V),1)
Q =
say =
else
Q = @
say = @echo "  $(1)	$(patsubst $(O)/%,%,$(2))"
endif

.DELETE_ON_ERROR:
.SECONDEXPANSION:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.PHONY: FORCE
.DEFAULT_GOAL := help

# ---------------------------------------------------------------------------
# Sources

RUNTIME_SOURCES := $(wildcard base/*.[cS] arch/*.c arch/$(ARCH)/*.[cS] patch/*.c core/*.c)
KERNEL_SOURCES := $(wildcard kernel/*.[cS] kernel/$(ARCH)/*.[cS] boot/$(ARCH)/*.[cS] \
	bench/*.c bench/$(ARCH)/*.[cS] boards/$(BOARD)/*.c) \
	$(BOARD_DRIVERS:%=boards/drivers/%.c)
TEST_SOURCES := $(wildcard tests/guest/*.c tests/guest/$(ARCH)/*.[cS])

RUNTIME_SOURCES := $(filter-out %/asm-offsets.c,$(RUNTIME_SOURCES))
KERNEL_SOURCES := $(filter-out %/asm-offsets.c,$(KERNEL_SOURCES))

# ---------------------------------------------------------------------------
# Flags

WARNINGS = -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wundef -Wvla \
	-Wimplicit-fallthrough -Wno-unused-parameter -Wno-missing-field-initializers
INCLUDES = -I. -Iarch/$(ARCH) -Ikernel/$(ARCH) -I$(HOST_DIR) -I$(BUILD)/include

BASE_CFLAGS = -std=gnu11 -O2 -g -ffreestanding -fno-pie -fno-common -fno-ipa-ra \
	-fno-stack-protector -fno-strict-aliasing -DFLAVOUR=\"$(FLAVOUR)\" -DFLAVOUR_$(FLAVOUR) \
	$(ARCH_CFLAGS) $(WARNINGS) $(INCLUDES)
BASE_ASFLAGS = -g -D__ASSEMBLY__ -DFLAVOUR_$(FLAVOUR) -fno-pie $(ARCH_ASFLAGS) $(INCLUDES) -Iboards/$(BOARD)

GCC_INCLUDE := $(shell $(CC) -print-file-name=include 2>/dev/null)
ifndef LIBC
NEWLIB := $(shell tools/newlib.sh path $(ARCH))
LIBC = $(NEWLIB)/lib/libc.a
LIBC_CFLAGS = -D__DYNAMIC_REENT__ -nostdinc -isystem $(NEWLIB)/include -isystem $(GCC_INCLUDE)
endif

# What a source is compiled with follows from the folder it lies in. The runtime sees no libc and
# has no call sites; mem* and str* must not be turned into calls of themselves. Files named *_fp.c
# may use the FPU. One file's own extras: CFLAGS_<path> and CFLAGS_REMOVE_<path>.
RUNTIME_DIRS = base arch patch core
TRACED_DIRS = kernel bench tests
UNTRACED = $(KERNEL_NOTRACE:%=kernel/%) $(NOTRACE_SOURCES) tests/mutants/%
top_dir = $(firstword $(subst /, ,$(1)))
in = $(filter $(1),$(call top_dir,$(2)))
is_traced = $(and $(call in,$(TRACED_DIRS),$(1)),$(if $(filter $(UNTRACED),$(1)),,y))

flags_of_folder = $(if $(call in,$(RUNTIME_DIRS),$(1)),-nostdinc -isystem $(GCC_INCLUDE),$(LIBC_CFLAGS)) \
	$(if $(call in,base,$(1)),-fno-tree-loop-distribute-patterns) \
	$(if $(filter %_fp.c,$(1)),,$(GENERAL_REGS)) \
	$(if $(call is_traced,$(1)),$(TRACE_$(FLAVOUR)))
libc_of = $(if $(call in,$(RUNTIME_DIRS),$(1)),,$(LIBC))
cflags_of = $(filter-out $(CFLAGS_REMOVE_$(1)),$(BASE_CFLAGS) $(flags_of_folder)) $(CFLAGS_$(1))

# ---------------------------------------------------------------------------
# Objects

RUNTIME_OBJECTS := $(RUNTIME_SOURCES:%=$(BUILD)/%.o)
KERNEL_OBJECTS := $(KERNEL_SOURCES:%=$(BUILD)/%.o)
TEST_OBJECTS := $(TEST_SOURCES:%=$(BUILD)/%.o)
IMAGE_OBJECTS := $(RUNTIME_OBJECTS) $(KERNEL_OBJECTS)

STAMP_TEXT = $(shell $(CC) --version 2>/dev/null | head -n 1) $(BASE_CFLAGS) $(BASE_ASFLAGS) $(GENERAL_REGS) \
	$(TRACE_$(FLAVOUR)) $(LIBC_CFLAGS) $(TRACED_DIRS) $(UNTRACED)
LINK_STAMP_TEXT = $(LINK) $(LIBC) $(IMAGE_OBJECTS) $(TEST_OBJECTS)

# A stamp is rewritten only when its text changes, so that changed flags rebuild and nothing else does.
# Names of temporaries carry make's pid: two makes in one tree do not meet.
new := new$(shell echo $$PPID)
keep_if_same = if cmp -s $@.$(new) $@; then rm -f $@.$(new); else mv $@.$(new) $@; fi
define write_stamp
$(shell mkdir -p $(@D))$(file >$@.$(new),$(1))@$(keep_if_same)
endef

$(BUILD)/flags: FORCE | $(BUILD)/
	$(call write_stamp,$(STAMP_TEXT))
$(BUILD)/link-flags: FORCE | $(BUILD)/
	$(call write_stamp,$(LINK_STAMP_TEXT))

# One file's own flags have a stamp of their own.
OWN_FLAGS = $(foreach s,$(1),$(if $(CFLAGS_$(s))$(CFLAGS_REMOVE_$(s)),$(s)))
HAVE_OWN_FLAGS := $(call OWN_FLAGS,$(RUNTIME_SOURCES) $(KERNEL_SOURCES) $(TEST_SOURCES))
$(HAVE_OWN_FLAGS:%=$(BUILD)/%.flags): $(BUILD)/%.flags: FORCE
	$(call write_stamp,$(CFLAGS_$*) - $(CFLAGS_REMOVE_$*))
$(foreach s,$(HAVE_OWN_FLAGS),$(eval $(BUILD)/$(s).o: $(BUILD)/$(s).flags))

$(sort $(BUILD)/ $(BUILD)/include/generated/ $(TOOLS)/ $(O)/results/ $(O)/logs/):
	@mkdir -p $@

# The runtime knows its own offsets; the kernel's are those of one host.
OFFSETS = $(BUILD)/include/generated/arch-offsets.h $(BUILD)/include/generated/kernel-offsets.h
offsets_of = $(if $(call in,$(RUNTIME_DIRS),$(1)),$(firstword $(OFFSETS)),$(OFFSETS))

$(BUILD)/%.c.o: %.c $(BUILD)/flags | $$(call offsets_of,$$*) $$(call libc_of,$$*)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(call cflags_of,$<) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<
$(BUILD)/%.S.o: %.S $(BUILD)/flags | $$(call offsets_of,$$*)
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(CC) $(BASE_ASFLAGS) $(CFLAGS_$<) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(BUILD)/%/asm-offsets.s: %/asm-offsets.c $(BUILD)/flags | $$(call libc_of,$$*/x)
	@mkdir -p $(@D)
	$(call say,OFFSETS,$@)
	$(Q)$(CC) $(call cflags_of,$<) -MMD -MP -MF $(@:.s=.d) -S -o $@ $<

offsets_sources = $(wildcard $(addsuffix /asm-offsets.c,$(1)))
offsets_inputs = $(patsubst %.c,$(BUILD)/%.s,$(call offsets_sources,$(1)))
define offsets_header
$(file >$@.$(new),/* Generated from $(^:$(BUILD)/%.s=%.c). */)@$(if $^,sed -n 's/^[[:space:]]*\.ascii[[:space:]]*"->\([A-Za-z0-9_]*\) \(.*\)"/#define \1 \2/p' $^ >>$@.$(new))
@$(keep_if_same)
endef
$(BUILD)/include/generated/arch-offsets.h: $(call offsets_inputs,arch/$(ARCH)) | $(BUILD)/include/generated/
	$(offsets_header)
$(BUILD)/include/generated/kernel-offsets.h: $(call offsets_inputs,kernel kernel/$(ARCH)) | $(BUILD)/include/generated/
	$(offsets_header)

ifdef NEWLIB
$(LIBC):
	+$(Q)tools/newlib.sh build $(ARCH)
endif

# ---------------------------------------------------------------------------
# Host tools

HOST_TOOLS = $(TOOLS)/kallsyms $(TOOLS)/recordmcount $(TOOLS)/checkrecords
$(TOOLS)/%: tools/%.c tools/elf-image.h | $(TOOLS)/
	$(call say,HOSTCC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra -Werror -o $@ $< -lelf

# ---------------------------------------------------------------------------
# Tests that run on the host, with sanitizers. tests/host/host.mk lists them:
#     $(call host_test,NAME,SOURCES,FLAGS)      makes $(O)/host/NAME, a program of `make test`

HOST_TEST_CFLAGS = -std=gnu11 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=all -fno-strict-aliasing $(WARNINGS) -I.
HOST_TEST_HEADERS := $(wildcard $(foreach f,base arch arch/* patch core tests/host tests/host/* tests/host/*/*,$f/*.h))
define host_test_rules
host_sources_$(1) := $(2)
host_flags_$(1) := $(3)
$(O)/host/$(1): $(2) tests/host/host.mk $(HOST_TEST_HEADERS)
	@mkdir -p $$(@D)
	$$(call say,HOSTCC,$$@)
	$$(Q)$$(HOSTCC) $$(HOST_TEST_CFLAGS) $(3) -o $$@ $(2)
endef
host_test = $(eval $(call host_test_rules,$(1),$(2),$(3)))
-include tests/host/host.mk

# One of them with a file changed, for tools/mutants: HOST_MUTANT is the folder of the changed copy
# and of the program, MUTANT_HOST the test, MUTANT_CHANGES the file.
ifdef HOST_MUTANT
.PHONY: mutant-program
mutant-program:
	$(Q)$(HOSTCC) $(HOST_TEST_CFLAGS) -w $(host_flags_$(MUTANT_HOST)) -o $(HOST_MUTANT)/$(MUTANT_HOST) \
		$(patsubst $(MUTANT_CHANGES),$(HOST_MUTANT)/$(MUTANT_CHANGES),$(host_sources_$(MUTANT_HOST)))
endif

# ---------------------------------------------------------------------------
# Link: once without the tables that are made from the image, then with them, and a check that they
# still fit. `pg` flavours have their records made too; the others bring them from the compiler.

LINK = $(LD) $(ARCH_LDFLAGS) --fatal-warnings --build-id=none --orphan-handling=warn --wrap=longjmp -nostdlib
ENDLIBS = --start-group $(LIBC) $(LIBGCC) --end-group
ifdef MCOUNT_$(FLAVOUR)
EMIT_RELOCS = --emit-relocs
MAKE_RECORDS = $(TOOLS)/recordmcount $(MCOUNT_$(FLAVOUR)) $(1) >>$(2)
CHECK_RECORDS = $(TOOLS)/checkrecords --mcount $(MCOUNT_$(FLAVOUR))
else
MAKE_RECORDS = :
CHECK_RECORDS = $(TOOLS)/checkrecords
endif

LDS = $(BUILD)/baretrace.lds
$(BUILD)/baretrace.lds $(BUILD)/far.lds: linker/baretrace.lds.S $(BUILD)/flags
	$(call say,LDS,$@)
	$(Q)$(CC) -E -P -x assembler-with-cpp $(BASE_ASFLAGS) -D__LINKER_SCRIPT__ -include boards/$(BOARD)/board.h \
		-MMD -MP -MF $@.d -MT $@ $(LDS_FLAGS) -o $@ $<

# $(1) image, $(2) objects, $(3) more linker options
define link_image
$(Q)set -e; t=$(1).$(new); trap 'rm -f $(1).$(new)*' EXIT; \
link() { $(LINK) $(3) -T $(LDS) "$$@" $(2) $(ENDLIBS); }; \
tables() { $(TOOLS)/kallsyms $$1 >$$2; $(call MAKE_RECORDS,$$1,$$2); }; \
assemble() { $(CC) $(ARCH_ASFLAGS) -c -o $$t.$$1.o $$t.$$1.S; }; \
$(TOOLS)/kallsyms --empty >$$t.0.S; assemble 0; \
link $(EMIT_RELOCS) -o $$t.0 $$t.0.o; \
tables $$t.0 $$t.1.S; assemble 1; \
link $(EMIT_RELOCS) -o $$t.1 $$t.1.o; \
tables $$t.1 $$t.2.S; \
cmp -s $$t.1.S $$t.2.S || { echo "$(1): addresses moved when the symbol table was linked in" >&2; exit 1; }; \
link -Map=$(1:.elf=.map) -o $$t $$t.1.o; \
$(CHECK_RECORDS) $$t $(2); \
mv $$t $(1)
endef

# By-products are made for whoever reads them, not for each link: listings take longer than linking.
define by_products
$(Q)$(OBJCOPY) -O binary $(1) $(1:.elf=.bin)
$(Q)$(NM) -n $(1) >$(1:.elf=.sym)
$(Q)$(OBJDUMP) -d -l --no-show-raw-insn $(1) >$(1:.elf=.lst)
endef

LINK_INPUTS = $(BUILD)/baretrace.lds $(BUILD)/link-flags $(LIBC) $(HOST_TOOLS)

$(BUILD)/baretrace.elf: $(IMAGE_OBJECTS) $(LINK_INPUTS)
	$(call say,LINK,$@)
	$(call link_image,$@,$(IMAGE_OBJECTS))
	$(call by_products,$@)

$(BUILD)/tests.elf: $(IMAGE_OBJECTS) $(TEST_OBJECTS) $(LINK_INPUTS)
	$(call say,LINK,$@)
	$(call link_image,$@,$(IMAGE_OBJECTS) $(TEST_OBJECTS))
	$(call by_products,$@)

# The big image, the far one, and mutants.
include tests/images.mk

$(BUILD)/libbaretrace.a: $(RUNTIME_OBJECTS) $(BUILD)/archive-of
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $(RUNTIME_OBJECTS)
$(BUILD)/archive-of: FORCE | $(BUILD)/
	$(call write_stamp,$(RUNTIME_OBJECTS))

-include $(RUNTIME_OBJECTS:.o=.d) $(KERNEL_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(BUILD)/baretrace.lds.d
-include $(wildcard $(BUILD)/arch/$(ARCH)/asm-offsets.d $(BUILD)/kernel/asm-offsets.d $(BUILD)/kernel/$(ARCH)/asm-offsets.d)

# ---------------------------------------------------------------------------
# What one asks for

SMP ?= $(BOARD_SMP)
ACCEL ?= tcg
BENCH ?= ops
# These have functions to work on in the big image alone, see bench/generated.h.
BIG_BENCHES = patch register
BOARD_GIVEN := $(filter command environment,$(firstword $(origin BOARD)))
CHOSEN_BOARDS := $(if $(BOARD_GIVEN),$(BOARD),$(BOARDS))
BOARD_OF_x86_64 = pc
BOARD_OF_arm64 = virt
BOARD_OF_arm = versatilepb
ISAS = x86_64 arm64 arm
ifneq ($(filter-out $(if $(BOARD_GIVEN),$(ARCH),$(ISAS)),$(ISA)),)
$(error $(if $(BOARD_GIVEN),board $(BOARD) is $(ARCH),there are the ISAs $(ISAS)), not '$(ISA)')
endif
LIB_BOARDS := $(if $(BOARD_GIVEN),$(BOARD),$(foreach isa,$(or $(ISA),$(ISAS)),$(BOARD_OF_$(isa))))

# Another make for one board; all cores when nothing was said about -j.
SUBMAKE = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
for_each = +$(Q)set -e; for one in $(1); do $(SUBMAKE) $(2); done

# For tools/check-headers: how the parts of this board are compiled.
.PHONY: show-flags
show-flags: $(OFFSETS)
	@echo 'isa:$(ARCH)'
	@echo 'runtime:$(CC) $(call cflags_of,core/x.c)'
	@echo 'kernel:$(CC) $(call cflags_of,kernel/x.c)'
	@echo 'assembly:$(CC) $(BASE_ASFLAGS)'

.PHONY: help setup image tests-image big-image far-image images run gdb bench test soak test-images lib lib-one mutants format-check clean

help: ## this list
	@echo "usage: make TARGET [BOARD=$$(echo $(BOARDS) | tr ' ' '|')] [FLAVOUR=] [V=1] [O=build] [-j2]"; echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
	@echo; for board in $(BOARDS); do isa=$$(sed -n 's/^ARCH = //p' boards/$$board/board.mk); \
		echo "BOARD=$$board ($$isa) has the flavours: $$(sed -n 's/^FLAVOURS = //p' arch/$$isa/arch.mk)"; done

setup: ## install the Debian packages that are missing
	$(Q)tools/setup.sh

image: $(BUILD)/baretrace.elf ## build/<board>/baretrace.elf with .bin .map .lst .sym
tests-image: $(BUILD)/tests.elf ## the image with the in-guest tests
big-image: $(BUILD)/big.elf ## the same with 20,000 generated functions
far-image: $(BUILD)/far.elf ## the same with a code pool that not all of text reaches

# The command line, as it was typed: make expands nothing in it.
ARGS_TEXT = $(value ARGS)
IS_BIG_RUN = $(filter $(BIG_BENCHES:%=bench=%),$(ARGS_TEXT))
RUN_IMAGE = $(BUILD)/$(if $(IS_BIG_RUN),big,baretrace).elf

# Sub-makes, because setup may have brought the compiler that this make did not find.
RUN = $(PYTHON) tools/run --board $(BOARD) --smp '$(SMP)' --accel '$(ACCEL)' --args-file $(BUILD)/args.txt
run: setup | $(BUILD)/ ## boot it: BOARD= ARGS="k=v ..." SMP=1..8 ACCEL=tcg|tcg-icount|kvm (Ctrl-C ends it)
	$(Q)$(RUN) --check $(RUN_IMAGE)
	+$(Q)$(SUBMAKE) BOARD=$(BOARD) $(if $(IS_BIG_RUN),big-)image
	$(file >$(BUILD)/args.txt,$(ARGS_TEXT))
	$(Q)$(RUN) $(RUN_IMAGE)

gdb: setup | $(BUILD)/ ## boot it halted and attach gdb-multiarch: BOARD= ARGS= SMP=
	$(Q)$(RUN) --check $(RUN_IMAGE)
	$(Q)tools/setup.sh gdb-multiarch
	+$(Q)$(SUBMAKE) BOARD=$(BOARD) $(if $(IS_BIG_RUN),big-)image
	$(file >$(BUILD)/args.txt,$(ARGS_TEXT))
	$(Q)$(RUN) --gdb $(RUN_IMAGE)

images: setup ## the images of all boards
	$(call for_each,$(CHOSEN_BOARDS),BOARD=$$one image)

MEASURE = $(PYTHON) tools/bench --out $(O) --bench '$(BENCH)' --args-file $(O)/results/args.txt --accel '$(ACCEL)' \
	$(if $(filter command,$(firstword $(origin FLAVOUR))),--flavour $(FLAVOUR)) \
	$(if $(filter command,$(firstword $(origin SMP))),--smp '$(SMP)') $(CHOSEN_BOARDS)
bench: setup | $(O)/results/ ## measure and print one table: BENCH=ops|graph|patch|register|static_key BOARD= (all) ARGS= FLAVOUR=
	$(file >$(O)/results/args.txt,$(ARGS_TEXT))
	$(Q)$(MEASURE) --check
	$(call for_each,$(CHOSEN_BOARDS),BOARD=$$one image $(if $(filter $(BIG_BENCHES),$(BENCH)),big-image))
	$(Q)$(MEASURE)

RUNTESTS = $(PYTHON) tools/runtests --out $(O) $(if $(BOARD_GIVEN),--board $(BOARD)) $(TEST_OPTIONS)
test: setup ## run all tests: BOARD= TESTS="glob ..."
	$(Q)tools/setup.sh --for-tests || echo "setup: going on without; tests that need them are skipped" >&2
	+$(Q)$(SUBMAKE) test-images TEST_OPTIONS='$(TESTS)'
	$(Q)$(RUNTESTS) $(TESTS)
soak: setup ## run the long tests
	+$(Q)$(SUBMAKE) test-images TEST_OPTIONS='--group soak'
	$(Q)$(RUNTESTS) --group soak

# Every image and host program that the chosen tests need, lines BOARD:FLAVOUR:TARGET,...
test-images:
	+$(Q)set -e; images=$$($(RUNTESTS) --images); for one in $$images; do rest=$${one#*:}; \
		$(SUBMAKE) BOARD=$${one%%:*} FLAVOUR=$${rest%%:*} $$(echo $${rest#*:} | tr , ' '); done

lib: setup ## build/<board>/libbaretrace.a for all ISAs: ISA= picks one, HOST_INCLUDE= another host's folder
	$(call for_each,$(LIB_BOARDS),BOARD=$$one lib-one)
lib-one: $(BUILD)/libbaretrace.a

mutants: setup ## break the code on purpose, each time the tests must turn red: MUTANTS="name ..."
	+$(Q)$(PYTHON) tools/mutants --out $(O) $(if $(BOARD_GIVEN),--board $(BOARD)) $(MUTANTS)

format-check: ## compare the layout of the sources with .editorconfig and .clang-format
	$(Q)tools/setup.sh clang-format
	$(Q)$(PYTHON) tools/format-check

clean: ## remove everything that was built
	$(Q)rm -rf $(O)
