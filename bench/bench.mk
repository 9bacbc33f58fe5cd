# What is particular about compiling the benchmarks.

# The same tracees without a call site.
NOTRACE_SOURCES += bench/tracee_nosite.c
