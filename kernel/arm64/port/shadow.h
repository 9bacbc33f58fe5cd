/* SPDX-License-Identifier: MIT */
/* The runtime has a place of its own for the shadow pointer here: nothing to say. */
#pragma once
