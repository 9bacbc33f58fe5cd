/* SPDX-License-Identifier: MIT */
/* Our kernel's answers that assembly needs too. */
#pragma once

#include <port/shadow.h>
