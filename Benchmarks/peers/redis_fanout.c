// The speed at which Redis delivers messages to many subscribers. The subscribers of one channel are in one
// process that only reads and counts bytes. One publisher never waits for an answer. Nothing is durable.
//
//   redis_fanout SOCKET SUBSCRIBERS MESSAGES PAYLOAD_BYTES
#define _GNU_SOURCE
#include "measure.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/wait.h>

enum { payload_bytes_max = 4096, buffer_bytes = 1 << 16 };

static void read_exactly(int descriptor, size_t count) {
  char buffer[256];
  while (count > 0) {
    ssize_t got = read(descriptor, buffer, count < sizeof buffer ? count : sizeof buffer);
    if (got <= 0) fail("read");
    count -= (size_t)got;
  }
}

// Subscribes, writes a byte to `ready`, and exits when every subscriber has all bytes.
static void subscribe(const char *path, int subscribers, long bytes_each, int ready) {
  static const char command[] = "SUBSCRIBE c\r\n";
  static const char answer[] = "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";
  static char buffer[buffer_bytes];
  int poll = epoll_create1(0);
  for (int index = 0; index < subscribers; index++) {
    int descriptor = connect_to(path);
    write_all(descriptor, command, sizeof command - 1);
    read_exactly(descriptor, sizeof answer - 1);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {EPOLLIN, {.fd = descriptor}};
    epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
  }
  write_all(ready, "r", 1);
  long missing = bytes_each * subscribers;
  struct epoll_event events[512];
  while (missing > 0) {
    int count = epoll_wait(poll, events, 512, 10000);
    if (count <= 0) {
      fprintf(stderr, "Redis stopped with %ld bytes missing.\n", missing);
      _exit(1);
    }
    for (int index = 0; index < count; index++) {
      ssize_t got = read(events[index].data.fd, buffer, sizeof buffer);
      if (got > 0) missing -= got;
      if (got == 0) {
        fprintf(stderr, "Redis dropped a subscriber.\n");
        _exit(1);
      }
    }
  }
  _exit(0);
}

// Publishes all messages as fast as the socket accepts them, and discards the answers.
static void publish(int descriptor, const char *command, size_t command_bytes, long messages) {
  enum { together = 64 };
  char *commands = malloc(command_bytes * together);
  static char answers[buffer_bytes];
  for (int index = 0; index < together; index++) {
    memcpy(commands + (size_t)index * command_bytes, command, command_bytes);
  }
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  size_t total = command_bytes * (size_t)messages, sent = 0;
  while (sent < total) {
    size_t offset = sent % command_bytes, rest = total - sent;
    size_t count = command_bytes * together - offset;
    ssize_t written = write(descriptor, commands + offset, count < rest ? count : rest);
    if (written > 0) sent += (size_t)written;
    while (recv(descriptor, answers, sizeof answers, MSG_DONTWAIT) > 0) {
    }
    if (written < 0) usleep(50);
  }
  free(commands);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: redis_fanout SOCKET SUBSCRIBERS MESSAGES PAYLOAD_BYTES\n");
    return 64;
  }
  const char *path = arguments[1];
  int subscribers = atoi(arguments[2]), payload_bytes = atoi(arguments[4]);
  long messages = atol(arguments[3]);
  if (payload_bytes < 1 || payload_bytes > payload_bytes_max) return 64;
  allow_many_files();

  char payload[payload_bytes_max + 1], command[payload_bytes_max + 64], sample[payload_bytes_max + 64];
  memset(payload, 'x', sizeof payload);
  payload[payload_bytes] = 0;
  int command_bytes = snprintf(command, sizeof command, "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$%d\r\n%s\r\n",
                               payload_bytes, payload);
  int delivery_bytes = snprintf(sample, sizeof sample, "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$%d\r\n%s\r\n",
                                payload_bytes, payload);
  int ready[2];
  if (pipe(ready) < 0) fail("pipe");
  pid_t reader = fork();
  if (reader < 0) fail("fork");
  if (reader == 0) subscribe(path, subscribers, delivery_bytes * messages, ready[1]);
  char signal;
  close(ready[1]);
  if (read(ready[0], &signal, 1) != 1) return 1;
  int publisher = connect_to(path);
  double start = now_seconds();
  publish(publisher, command, (size_t)command_bytes, messages);
  int status;
  waitpid(reader, &status, 0);
  if (status != 0) return 1;
  double elapsed = now_seconds() - start;
  printf("redis_fanout_%d_per_s %.0f\n", subscribers, (double)messages * subscribers / elapsed);
  return 0;
}
