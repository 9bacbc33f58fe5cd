// SPDX-License-Identifier: MIT
/* The error codes that functions return negated; Linux's numbers. */
#pragma once

#define EPERM		1
#define ENOENT		2
#define EINTR		4
#define E2BIG		7
#define EAGAIN		11
#define ENOMEM		12
#define EFAULT		14
#define EBUSY		16
#define EEXIST		17
#define ENODEV		19
#define EINVAL		22
#define ENOSPC		28
#define ERANGE		34
#define ENAMETOOLONG	36
#define EOVERFLOW	75
#define EOPNOTSUPP	95
#define ETIMEDOUT	110
