# What is particular about compiling the benchmarks.

# The same tracees without a call site.
NOTRACE_SOURCES += bench/tracee_nosite.c

# Where frame pointers are asked for, gcc gives a profiled leaf a frame that its twin without a site
# has not. With frames left to gcc neither has one, and the site is all they differ by.
CFLAGS_REMOVE_bench/tracee.c = -fno-omit-frame-pointer
CFLAGS_REMOVE_bench/tracee_nosite.c = -fno-omit-frame-pointer
