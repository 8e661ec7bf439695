// The speed at which NATS delivers messages to many subscribers over TLS. The subscribers of one subject are in one
// process that only decrypts and counts bytes. One publisher keeps within NATS's bound on what a slow subscriber may
// have unread. Nothing is durable.
//
//   nats_fanout PORT SUBSCRIBERS MESSAGES PAYLOAD_BYTES
#define _GNU_SOURCE
#include "tls.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { payload_bytes_max = 4096, buffer_bytes = 1 << 18, unread_bytes_max = 48 << 20 };

// Reads a line from a session whose socket blocks, and discards it.
static void skip_line(SSL *session) {
  char byte = 0;
  while (byte != '\n') {
    if (SSL_read(session, &byte, 1) != 1) fail("SSL_read");
  }
}

// Connects; the server sends a line in the clear before the handshake.
static SSL *connect_nats(int port, const char *commands) {
  int descriptor = connect_to_port(port);
  char byte = 0;
  while (byte != '\n') {
    if (read(descriptor, &byte, 1) != 1) fail("read");
  }
  SSL *session = begin_tls(descriptor, "");
  static const char connect[] = "CONNECT {\"verbose\":false,\"pedantic\":false,\"tls_required\":true}\r\n";
  write_all_tls(session, connect, sizeof connect - 1);
  write_all_tls(session, commands, strlen(commands));
  write_all_tls(session, "PING\r\n", 6);
  skip_line(session);
  return session;
}

struct subscriber {
  SSL *session;
  long received;
};

// Subscribes, writes a byte to `ready`, and reports the bytes that the slowest subscriber has in `progress`. Exits
// when every subscriber has all bytes.
static void subscribe(int port, int subscribers, long bytes_each, int ready, volatile long *progress) {
  static char buffer[buffer_bytes];
  struct subscriber *all = calloc((size_t)subscribers, sizeof *all);
  int poll = epoll_create1(0);
  for (int index = 0; index < subscribers; index++) {
    all[index].session = connect_nats(port, "SUB c 1\r\n");
    int descriptor = SSL_get_fd(all[index].session);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {EPOLLIN, {.ptr = &all[index]}};
    epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
  }
  write_all(ready, "r", 1);
  long missing = bytes_each * subscribers;
  struct epoll_event events[512];
  for (long round = 0; missing > 0; round++) {
    int count = epoll_wait(poll, events, 512, 10000);
    if (count <= 0) {
      fprintf(stderr, "NATS stopped with %ld bytes missing.\n", missing);
      _exit(1);
    }
    for (int index = 0; index < count; index++) {
      struct subscriber *one = events[index].data.ptr;
      int got;
      while ((got = SSL_read(one->session, buffer, sizeof buffer)) > 0) {
        one->received += got;
        missing -= got;
      }
      if (SSL_get_error(one->session, got) != SSL_ERROR_WANT_READ) {
        fprintf(stderr, "NATS dropped a subscriber.\n");
        _exit(1);
      }
    }
    if (round % 64) continue;
    long slowest = all[0].received;
    for (int index = 1; index < subscribers; index++) {
      if (all[index].received < slowest) slowest = all[index].received;
    }
    *progress = slowest;
  }
  _exit(0);
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: nats_fanout PORT SUBSCRIBERS MESSAGES PAYLOAD_BYTES\n");
    return 64;
  }
  allow_many_files();
  int port = atoi(arguments[1]), subscribers = atoi(arguments[2]);
  long messages = atol(arguments[3]);
  int payload = atoi(arguments[4]);
  if (payload < 1 || payload > payload_bytes_max) return 64;
  char command[payload_bytes_max + 64], delivered[64];
  int head = snprintf(command, sizeof command, "PUB c %d\r\n", payload);
  memset(command + head, 'x', (size_t)payload);
  memcpy(command + head + payload, "\r\n", 2);
  size_t command_bytes = (size_t)(head + payload + 2);
  long bytes_each_message = snprintf(delivered, sizeof delivered, "MSG c 1 %d\r\n", payload) + payload + 2;
  volatile long *progress =
      mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int pipes[2];
  if (pipe(pipes) < 0) fail("pipe");
  pid_t child = fork();
  if (child == 0) subscribe(port, subscribers, bytes_each_message * messages, pipes[1], progress);
  close(pipes[1]);
  char byte;
  if (read(pipes[0], &byte, 1) != 1) fail("the subscribers");
  SSL *publisher = connect_nats(port, "");
  enum { together = 64 };
  char *commands = malloc(command_bytes * together);
  for (int index = 0; index < together; index++) {
    memcpy(commands + (size_t)index * command_bytes, command, command_bytes);
  }
  double start = now_seconds();
  for (long sent = 0; sent < messages; sent += together) {
    while (sent * bytes_each_message - *progress > unread_bytes_max) usleep(100);
    long rest = messages - sent;
    write_all_tls(publisher, commands, command_bytes * (size_t)(rest < together ? rest : together));
  }
  int status;
  waitpid(child, &status, 0);
  double elapsed = now_seconds() - start;
  if (status != 0) return 1;
  printf("nats_fanout_%d_per_s %.0f\n", subscribers, (double)messages * subscribers / elapsed);
  return 0;
}
