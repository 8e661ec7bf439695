// Shared by the C programs: a clock, percentiles, sockets, and an exit at any failure. Results are printed
// to stdout as "name value", one a line, so that a script can compare them.
#ifndef MEASURE_H
#define MEASURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static inline int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

// Prints the median and the 99th percentile of `count` durations, in microseconds.
static inline void print_percentiles(const char *name, double *seconds, size_t count) {
  qsort(seconds, count, sizeof *seconds, ascending);
  printf("%s_p50_us %.1f\n", name, seconds[count / 2] * 1e6);
  printf("%s_p99_us %.1f\n", name, seconds[count * 99 / 100] * 1e6);
}

static inline void allow_many_files(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static inline int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "%s: too long for the path of a socket\n", path);
    exit(64);
  }
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) fail("socket");
  // A full backlog answers EAGAIN at once; the listener needs a moment to accept the next connection.
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    if (errno != EAGAIN) fail(path);
    usleep(1000);
  }
  return descriptor;
}

static inline void write_all(int descriptor, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = write(descriptor, next, count);
    if (written < 0) fail("write");
    next += written;
    count -= (size_t)written;
  }
}

#endif
