#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

// Addresses that nothing is at, from a step on: only there can pages be large.
static void *reserve(size_t bytes) {
  char *start = mmap(NULL, bytes + MEMORY_STEP_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return NULL;
  size_t before = -(uintptr_t)start & (MEMORY_STEP_BYTES - 1);
  if (before) munmap(start, before);
  munmap(start + before + bytes, MEMORY_STEP_BYTES - before);
  return start + before;
}

void *memory_allocate(size_t bytes) {
  void *start = reserve(bytes);
  // Where there are no large pages this fails, and small ones do.
  if (start) madvise(start, bytes, MADV_HUGEPAGE);
  return start;
}

void *memory_resize(void *start, size_t bytes, size_t wanted) {
  if (mremap(start, bytes, wanted, 0) != MAP_FAILED) return start;
  void *target = reserve(wanted);
  if (!target) return NULL;
  void *moved = mremap(start, bytes, wanted, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  if (moved != MAP_FAILED) return moved;
  munmap(target, wanted);
  return NULL;
}

void memory_release(void *start, size_t bytes) { munmap(start, bytes); }

void memory_share_heap(int step_bytes) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, step_bytes);
}

void memory_keep_blocks(int mapped_bytes, int spare_bytes) {
  mallopt(M_MMAP_THRESHOLD, mapped_bytes);
  mallopt(M_TRIM_THRESHOLD, spare_bytes);
}
