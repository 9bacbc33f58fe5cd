// SPDX-License-Identifier: MIT
/*
 * The image's layout as linker/baretrace.lds.S lays it out, for C.
 *
 * Each name is an address, never a value: use it as an array. All borders of
 * different permissions are page-aligned.
 */
#pragma once

extern char __image_start[], __image_end[];

/* Read and execute. The code pool lies behind the text, inside this range. */
extern char __text_start[], __text_end[];
extern char __entry_text_start[], __entry_text_end[];	/* vectors: save and restore struct pt_regs */
extern char __code_pool_start[], __code_pool_end[];

/* Read only. */
extern char __rodata_start[], __rodata_end[];

/* Read and write: __data_start to __bss_end; boot code clears from __bss_start on. */
extern char __data_start[], __data_end[];
extern char __bss_start[], __bss_end[];

/* First stack of the boot CPU: one page meant as its guard, then the stack, which ends at top. */
extern char __stack_boot_guard[], __stack_boot_bottom[], __stack_boot_top[];

/* Addresses of the call sites, as the compiler or the recorder left them: not sorted. */
extern const unsigned long __start_mcount_loc[], __stop_mcount_loc[];
