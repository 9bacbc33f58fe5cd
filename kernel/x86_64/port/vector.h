// SPDX-License-Identifier: MIT
/* Interrupt vectors and selectors of the x86-64 port; read by assembly too. */
#pragma once

#define VECTOR_NMI		2
#define VECTOR_BREAKPOINT	3
#define VECTOR_DOUBLE_FAULT	8
#define VECTOR_PAGE_FAULT	14
#define NR_EXCEPTIONS		32

#define VECTOR_PIC		0x20	/* 16 of them, where the masked legacy controllers point */
#define VECTOR_UART		0x30
#define VECTOR_SOFT		0x38	/* port_soft_irq() */
#define VECTOR_IPI		0x40	/* + enum ipi */
#define VECTOR_TIMER		0x50
#define VECTOR_SPURIOUS		0xff

#define SELECTOR_CODE		0x08
#define SELECTOR_DATA		0x10
#define SELECTOR_CODE32		0x18	/* boot only */
#define SELECTOR_TSS		0x18
