// The machine's limits: making 4 KiB durable, and sending 64 bytes to another process and back over a Unix
// socket. A program that waits for a disk and a peer cannot be faster.
//
//   limits FOLDER
#define _GNU_SOURCE
#include "measure.h"

#include <fcntl.h>
#include <sys/wait.h>

static void measure_disk(const char *folder) {
  enum { rounds = 1500, warm_up = 100 };
  static double seconds[rounds];
  static char block[4096];
  char path[4096];
  snprintf(path, sizeof path, "%s/limits.tmp", folder);
  int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
  if (file < 0) fail(path);
  for (int round = -warm_up; round < rounds; round++) {
    double start = now_seconds();
    write_all(file, block, sizeof block);
    if (fdatasync(file) < 0) fail("fdatasync");
    if (round >= 0) seconds[round] = now_seconds() - start;
  }
  close(file);
  unlink(path);
  print_percentiles("fdatasync", seconds, rounds);
}

static void measure_socket(void) {
  enum { rounds = 30000, warm_up = 1000 };
  static double seconds[rounds];
  char message[64] = {0};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) fail("socketpair");
  pid_t echo = fork();
  if (echo < 0) fail("fork");
  if (echo == 0) {
    close(ends[0]);
    for (;;) {
      ssize_t count = read(ends[1], message, sizeof message);
      if (count <= 0) _exit(0);
      write_all(ends[1], message, (size_t)count);
    }
  }
  close(ends[1]);
  for (int round = -warm_up; round < rounds; round++) {
    double start = now_seconds();
    write_all(ends[0], message, sizeof message);
    if (read(ends[0], message, sizeof message) <= 0) fail("read");
    if (round >= 0) seconds[round] = now_seconds() - start;
  }
  close(ends[0]);
  waitpid(echo, NULL, 0);
  print_percentiles("round_trip", seconds, rounds);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: limits FOLDER\n");
    return 64;
  }
  measure_disk(arguments[1]);
  measure_socket();
  return 0;
}
