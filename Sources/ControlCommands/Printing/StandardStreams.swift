// The three standard streams of a program. A shell can close them (`>&-`). The next file or socket would then
// get the number, and results would be written into it.

import Glibc

/// Reserves the numbers of the standard streams.
enum StandardStreams {
  /// Opens a read-only empty file in place of each closed stream, so that writing to it fails as expected.
  /// Call this before anything else is opened.
  static func reserve() {
    for number in STDIN_FILENO...STDERR_FILENO
    where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is the missing one.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
