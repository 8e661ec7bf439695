// The minimum cost of copying files. One process reads them and writes them to a Unix socket. Another reads
// them from it and makes each durable as the broker and its devices do: write under a temporary name,
// fdatasync, rename, fsync of the folder. It hashes no file and writes no row.
//
//   file_copy FROM TO NAME   copies all files below FROM to the folder TO and prints NAME_mib_per_s
#define _GNU_SOURCE
#define _XOPEN_SOURCE 700
#include "measure.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { chunk_bytes = 64 << 10 };
static char chunk[chunk_bytes];
static int out;
static uint64_t bytes_sent;

static int send_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)place;
  if (kind != FTW_F || status->st_size == 0) return 0;
  uint64_t left = (uint64_t)status->st_size;
  write_all(out, &left, sizeof left);
  int file = open(path, O_RDONLY);
  if (file < 0) fail(path);
  while (left > 0) {
    ssize_t count = read(file, chunk, sizeof chunk);
    if (count <= 0) fail(path);
    write_all(out, chunk, (size_t)count);
    left -= (uint64_t)count;
    bytes_sent += (uint64_t)count;
  }
  close(file);
  return 0;
}

static int read_all(int descriptor, void *bytes, size_t count) {
  char *next = bytes;
  while (count > 0) {
    ssize_t got = read(descriptor, next, count);
    if (got < 0) fail("read");
    if (got == 0) return 0;
    next += got;
    count -= (size_t)got;
  }
  return 1;
}

static void receive_files(int in, const char *folder) {
  char incoming[4096], path[4096], directory[4096];
  uint64_t left;
  snprintf(incoming, sizeof incoming, "%s/incoming", folder);
  for (unsigned number = 0; read_all(in, &left, sizeof left); number++) {
    int file = open(incoming, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (file < 0) fail(incoming);
    while (left > 0) {
      size_t count = left < sizeof chunk ? (size_t)left : sizeof chunk;
      if (!read_all(in, chunk, count)) fail("a file that ends too early");
      write_all(file, chunk, count);
      left -= count;
    }
    if (fdatasync(file) < 0) fail("fdatasync");
    close(file);
    snprintf(directory, sizeof directory, "%s/%02x", folder, number % 256);
    if (mkdir(directory, 0700) < 0 && errno != EEXIST) fail(directory);
    snprintf(path, sizeof path, "%s/%02x/%u", folder, number % 256, number);
    if (rename(incoming, path) < 0) fail(path);
    int parent = open(directory, O_RDONLY | O_DIRECTORY);
    if (parent < 0 || fsync(parent) < 0) fail(directory);
    close(parent);
  }
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "usage: file_copy FROM TO NAME\n");
    return 64;
  }
  if (mkdir(arguments[2], 0700) < 0) fail(arguments[2]);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) fail("socketpair");
  double start = now_seconds();
  pid_t receiver = fork();
  if (receiver < 0) fail("fork");
  if (receiver == 0) {
    close(ends[0]);
    receive_files(ends[1], arguments[2]);
    _exit(0);
  }
  close(ends[1]);
  out = ends[0];
  if (nftw(arguments[1], send_file, 16, FTW_PHYS) != 0) fail(arguments[1]);
  close(out);
  int status;
  if (waitpid(receiver, &status, 0) < 0 || status != 0) fail("the receiver");
  printf("%s_mib_per_s %.1f\n", arguments[3], (double)bytes_sent / (1 << 20) / (now_seconds() - start));
  return 0;
}
