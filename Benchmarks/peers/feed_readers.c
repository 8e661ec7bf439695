// Many devices that follow one zone of the broker, in one process that only reads. It decodes the beginning
// of each frame, which contains the revision that the device has reached, and skips the rest. It is the
// counterpart of the subscribers in redis_fanout.c.
//
//   feed_readers SOCKET HELLOS      over the broker's Unix socket
//   feed_readers PORT HELLOS        over TLS, on the loopback interface
//
// The file HELLOS contains one hello frame for each device. When all devices have caught up, the program
// prints "ready". It then reads a revision from stdin, prints the time (CLOCK_MONOTONIC, in seconds) at
// which the last device has received everything up to it, and repeats this until stdin ends.
#define _GNU_SOURCE
#include "tls.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>

enum { head_bytes_max = 128, buffer_bytes = 1 << 18 };

// Field numbers of BrokerFrame and its messages; see records.proto.
enum { frame_changes = 6, frame_level = 7, frame_goodbye = 12 };

struct device {
  int descriptor;
  SSL *session; // NULL without TLS
  uint8_t head[head_bytes_max]; // the beginning of the current frame, including its length
  size_t head_count;
  uint64_t rest; // bytes of the current frame still to be skipped
  uint64_t revision; // the device has received everything up to it
  int is_live;
};

static struct device *devices;
static int device_count, live_count, done_count;
static uint64_t target;

static const uint8_t *read_varint(const uint8_t *at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; at < end && shift < 64; shift += 7) {
    *value |= (uint64_t)(*at & 0x7f) << shift;
    if (*at++ < 0x80) return at;
  }
  return NULL;
}

// Returns the number in field `wanted` of a message, or 0. The field must be within the stored head.
static uint64_t number_in(const uint8_t *at, const uint8_t *end, uint64_t wanted) {
  while (at && at < end) {
    uint64_t tag, value;
    if (!(at = read_varint(at, end, &tag)) || !(at = read_varint(at, end, &value))) return 0;
    if ((tag & 7) == 0 && tag >> 3 == wanted) return value;
    if ((tag & 7) == 2) at += value;
  }
  return 0;
}

static void reached(struct device *device, uint64_t revision) {
  if (revision <= device->revision) return;
  if (device->revision < target && revision >= target) done_count++;
  device->revision = revision;
}

// Decodes the beginning of a frame.
static void open_frame(struct device *device) {
  const uint8_t *at = device->head + 4, *end = device->head + device->head_count;
  uint64_t tag, length;
  while (at && at < end) {
    if (!(at = read_varint(at, end, &tag)) || !(at = read_varint(at, end, &length))) return;
    switch (tag >> 3) {
    case frame_changes:
      reached(device, number_in(at, end, 4));
      return;
    case frame_level:
      reached(device, number_in(at, end, 3));
      live_count += !device->is_live;
      device->is_live = 1;
      return;
    case frame_goodbye:
      fprintf(stderr, "The broker said goodbye: %.*s\n", (int)(end - at), (const char *)at);
      exit(1);
    default:
      if ((tag & 7) == 2) at += length;
    }
  }
}

static void receive(struct device *device, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    if (device->rest > 0 && device->head_count == 0) {
      size_t skipped = count < device->rest ? count : device->rest;
      device->rest -= skipped;
      bytes += skipped;
      count -= skipped;
      continue;
    }
    // The head of a frame: its length, then the bytes that are decoded.
    uint64_t wanted = 4;
    if (device->head_count >= 4) {
      uint64_t length = (uint64_t)device->head[0] << 24 | device->head[1] << 16 |
                        device->head[2] << 8 | device->head[3];
      wanted = 4 + length < head_bytes_max ? 4 + length : head_bytes_max;
      device->rest = 4 + length - wanted;
    }
    size_t missing = wanted - device->head_count;
    size_t copied = count < missing ? count : missing;
    memcpy(device->head + device->head_count, bytes, copied);
    device->head_count += copied;
    bytes += copied;
    count -= copied;
    if (wanted > 4 && device->head_count == wanted) {
      open_frame(device);
      device->head_count = 0;
    }
  }
}

static void read_some(int poll) {
  static uint8_t buffer[buffer_bytes];
  struct epoll_event events[512];
  int count = epoll_wait(poll, events, 512, 20000);
  if (count <= 0) {
    fprintf(stderr, "No data for 20 s; %d devices have caught up, %d have the revision.\n", live_count,
            done_count);
    exit(1);
  }
  for (int index = 0; index < count; index++) {
    struct device *device = events[index].data.ptr;
    ssize_t got;
    if (device->session) {
      // Records that OpenSSL has read already do not make the socket readable again.
      while ((got = SSL_read(device->session, buffer, sizeof buffer)) > 0) receive(device, buffer, (size_t)got);
      int reason = SSL_get_error(device->session, (int)got);
      got = reason == SSL_ERROR_WANT_READ ? -1 : 0;
    } else {
      got = read(device->descriptor, buffer, sizeof buffer);
    }
    if (got == 0) {
      fprintf(stderr, "The broker closed a connection.\n");
      exit(1);
    }
    if (got > 0) receive(device, buffer, (size_t)got);
  }
}

static void connect_all(const char *path, const char *hellos, int poll) {
  FILE *file = fopen(hellos, "rb");
  if (!file) fail(hellos);
  uint8_t prefix[4];
  static uint8_t frame[1 << 16];
  int capacity = 16384;
  devices = calloc((size_t)capacity, sizeof *devices);
  while (device_count < capacity && fread(prefix, 1, 4, file) == 4) {
    size_t length = (size_t)prefix[0] << 24 | prefix[1] << 16 | prefix[2] << 8 | prefix[3];
    if (length > sizeof frame || fread(frame, 1, length, file) != length) fail(hellos);
    struct device *device = &devices[device_count++];
    int port = atoi(path);
    if (port > 0) {
      device->descriptor = connect_to_port(port);
      device->session = begin_tls(device->descriptor, "contacts/1");
      write_all_tls(device->session, prefix, 4);
      write_all_tls(device->session, frame, length);
    } else {
      device->descriptor = connect_to(path);
      write_all(device->descriptor, prefix, 4);
      write_all(device->descriptor, frame, length);
    }
    fcntl(device->descriptor, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {EPOLLIN, {.ptr = device}};
    epoll_ctl(poll, EPOLL_CTL_ADD, device->descriptor, &event);
  }
  fclose(file);
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: feed_readers SOCKET|PORT HELLOS\n");
    return 64;
  }
  allow_many_files();
  setvbuf(stdout, NULL, _IOLBF, 0);
  setvbuf(stdin, NULL, _IONBF, 0);
  int poll = epoll_create1(0);
  connect_all(arguments[1], arguments[2], poll);
  while (live_count < device_count) read_some(poll);
  printf("ready\n");
  unsigned long long wanted;
  while (scanf("%llu", &wanted) == 1) {
    target = wanted;
    done_count = 0;
    for (int index = 0; index < device_count; index++) done_count += devices[index].revision >= target;
    while (done_count < device_count) read_some(poll);
    printf("%.9f\n", now_seconds());
  }
  return 0;
}
