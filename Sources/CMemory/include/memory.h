// Memory for millions of small things, as Linux offers it and Swift does not: large pages, so that
// looking anywhere in a hundred megabytes costs no walk through tables of pages; growing without
// copying; asking for memory before it is needed; and keeping blocks that come and go.
#pragma once

#include <stddef.h>

// What `bytes` below are a multiple of: the size of a large page, 2 MiB.
#define MEMORY_STEP_BYTES 2097152

// Asks for the 64 bytes around `address`, which may be any, and does not wait for them.
static inline void memory_prefetch(const void *address) { __builtin_prefetch(address); }

// `bytes` of zeroes, in large pages where the system has them; NULL where it has no memory.
void *memory_allocate(size_t bytes);

// The memory at `start` with `wanted` instead of `bytes`, moved without copying where it has to be;
// NULL, and nothing changed, where the system has no memory.
void *memory_resize(void *start, size_t bytes, size_t wanted);

// Gives it back.
void memory_release(void *start, size_t bytes);

// Tells the allocator to take blocks below `mapped_bytes` from its heap instead of mapping each by itself,
// and to give free bytes at the heap's end back to the system only beyond `spare_bytes`.
void memory_keep_blocks(int mapped_bytes, int spare_bytes);

// Tells the allocator to have one heap for all threads, which grows by `step_bytes`, instead of one for each, which grows
// by single pages.
void memory_share_heap(int step_bytes);
