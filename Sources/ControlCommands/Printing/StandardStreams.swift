// The three streams that a program starts with. A shell can close them (`>&-`). The next file or socket
// that is opened would then take the number, and results would be written into it.

import Glibc

/// Sees to it that the streams' numbers are taken.
enum StandardStreams {
  /// Opens an empty file, from which can only be read, in the place of each stream that is closed:
  /// writing to it fails as it should. Called before anything else is opened.
  static func reserve() {
    for number in STDIN_FILENO...STDERR_FILENO
    where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is the one that is missing.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
