#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool closed[STDERR_FILENO + 1];

__attribute__((constructor)) static void reserve_standard_streams(void) {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
    if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    closed[number] = true;
    // The lowest free number is the missing one.
    (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool standard_stream_was_closed(int number) {
  return number >= STDIN_FILENO && number <= STDERR_FILENO && closed[number];
}
