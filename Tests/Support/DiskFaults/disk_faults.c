// Simulates disk failures in any program. The library is preloaded before the C library and intercepts
// writes and syncs. A disk may lose writes that were not synced, so "cut" saves the bytes that each write
// replaces and restores them when the power fails.
#define _GNU_SOURCE
#include "disk_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { kind_none, kind_write, kind_sync, kind_full, kind_torn, kind_cut };

// The bytes that a write replaced, kept until its file is synced.
struct covered {
  struct covered *earlier;
  int descriptor;
  dev_t device;
  ino_t file;
  off_t offset, size_before;
  size_t count, count_before;
  unsigned char before[];
};

static enum kind kind;
static long number, count;
static char part_of_path[256];
static struct covered *covered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);

__attribute__((constructor)) static void begin(void) {
  real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  const char *setting = getenv("DISK_FAULT");
  char name[16];
  if (!setting || sscanf(setting, "%15[a-z]:%ld:%255s", name, &number, part_of_path) != 3) return;
  static const char *const names[] = {"none", "write", "sync", "full", "torn", "cut"};
  for (int index = kind_write; index <= kind_cut; index++)
    if (!strcmp(name, names[index])) kind = (enum kind)index;
}

long disk_faults_count(void) { return count; }

static int concerns(int descriptor) {
  if (kind == kind_none) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  // SQLite rebuilds the index of a write-ahead log after every crash.
  return strstr(path, part_of_path) && !strstr(path, "-shm");
}

// Counts a call and returns whether it fails.
static int is_due(void) {
  count++;
  return kind == kind_full ? count >= number : count == number;
}

static void remember(int descriptor, size_t bytes, off_t offset) {
  struct stat status;
  if (kind != kind_cut || fstat(descriptor, &status)) return;
  struct covered *next = malloc(sizeof *next + bytes);
  if (!next) abort();
  ssize_t had = pread(descriptor, next->before, bytes, offset);
  next->earlier = covered;
  next->descriptor = descriptor;
  next->device = status.st_dev;
  next->file = status.st_ino;
  next->offset = offset;
  next->size_before = status.st_size;
  next->count = bytes;
  next->count_before = had > 0 ? (size_t)had : 0;
  covered = next;
}

static void forget(int descriptor) {
  struct stat status;
  if (kind != kind_cut || fstat(descriptor, &status)) return;
  for (struct covered **at = &covered; *at;) {
    struct covered *found = *at;
    if (found->device == status.st_dev && found->file == status.st_ino) {
      *at = found->earlier;
      free(found);
    } else {
      at = &found->earlier;
    }
  }
}

// Restores replaced bytes from the latest write to the earliest, so that overlapping writes end in their
// original state. An even number undoes all writes, an odd one a random half.
static void cut_power(void) {
  uint64_t random = (uint64_t)number * 0x9E3779B97F4A7C15u;
  for (struct covered *at = covered; at; at = at->earlier) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    if (number % 2 && random % 2) continue;
    if (at->count_before) real_pwrite(at->descriptor, at->before, at->count_before, at->offset);
    struct stat status;
    off_t end = at->offset + (off_t)at->count;
    if (!fstat(at->descriptor, &status) && status.st_size == end && at->size_before < end)
      if (ftruncate(at->descriptor, at->size_before)) abort();
  }
  _exit(137);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t size, off_t offset) {
  pthread_mutex_lock(&lock);
  int fails = kind != kind_sync && is_due();
  if (fails && kind == kind_torn) {
    real_pwrite(descriptor, bytes, size / 2, offset);
    _exit(137);
  }
  if (fails && kind == kind_cut) cut_power();
  if (!fails) remember(descriptor, size, offset);
  pthread_mutex_unlock(&lock);
  if (fails) return errno = kind == kind_full ? ENOSPC : EIO, -1;
  return real_pwrite(descriptor, bytes, size, offset);
}

static int sync_with(int (*real)(int), int descriptor) {
  if (!concerns(descriptor)) return real(descriptor);
  pthread_mutex_lock(&lock);
  int fails = (kind == kind_sync || kind == kind_cut) && is_due();
  if (fails && kind == kind_cut) cut_power();
  int answer = fails ? -1 : real(descriptor);
  if (!answer) forget(descriptor);
  pthread_mutex_unlock(&lock);
  if (fails) errno = EIO;
  return answer;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
  if (!concerns(descriptor)) return real_pwrite(descriptor, bytes, size, offset);
  return write_at(descriptor, bytes, size, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  return pwrite64(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  if (!concerns(descriptor)) return real_write(descriptor, bytes, size);
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  if (offset < 0) return real_write(descriptor, bytes, size);
  ssize_t written = write_at(descriptor, bytes, size, offset);
  if (written > 0) lseek(descriptor, offset + written, SEEK_SET);
  return written;
}

int fdatasync(int descriptor) { return sync_with(real_fdatasync, descriptor); }

int fsync(int descriptor) { return sync_with(real_fsync, descriptor); }
