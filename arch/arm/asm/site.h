// SPDX-License-Identifier: MIT
/* What of site.c is inline: nothing. */
#pragma once
