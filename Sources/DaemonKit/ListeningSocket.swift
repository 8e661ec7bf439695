// The socket a daemon is reached by: passed by systemd, or made here. A file left by a process that
// was killed is no obstacle, and the file of one that lives is never taken away: who answers owns it.
// Between looking and binding the directory is locked, so that two starts cannot both find it free.

import CSystemd
import Glibc

/// A Unix socket that listens.
package struct ListeningSocket: Sendable {
  /// What a path may have: the kernel's `sockaddr_un` holds 108 bytes, the last of them zero.
  package static let pathBytesMaximum = 107

  private static let backlog: Int32 = 512

  /// The descriptor, non-blocking, for `ServerBootstrap.withBoundSocket`, which then closes it.
  package let descriptor: Int32
  /// Where it was made; `nil` for one that was passed and belongs to the service manager.
  package let path: String?

  /// The socket that systemd passed, or else one made at `path` (see `bind`).
  package static func open(path: String, mode: UInt32 = 0o600) throws(DaemonError) -> Self {
    if let passed = try passed() { return passed }
    return try bind(path: path, mode: mode)
  }

  /// The socket that systemd passed; `nil` if it passed none. To be called once, at the start.
  /// - Throws: `configuration` when it passed several, or something that does not listen.
  package static func passed() throws(DaemonError) -> Self? {
    let count = sd_listen_fds(1)
    guard count != 0 else { return nil }
    guard count == 1 else {
      throw DaemonError(
        .configuration,
        count > 0
          ? "The service manager passed \(count) sockets; one is expected."
          : "Cannot read the sockets that the service manager passed: \(systemText(-count)).")
    }
    // SD_LISTEN_FDS_START
    return try Self(passed: 3)
  }

  /// Takes over a descriptor that was passed.
  /// - Throws: `configuration` when it is not a stream socket that listens.
  package init(passed descriptor: Int32) throws(DaemonError) {
    guard sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
      throw DaemonError(
        .configuration, "The service manager passed something that is not a listening socket.",
        hint: "A ListenStream with a path is expected.")
    }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    self.init(descriptor: descriptor, path: nil)
  }

  /// Makes a socket at `path`, and its directory (mode 0700) if it is missing. A socket file there
  /// that nobody answers at is replaced.
  /// - Throws: `cannotCreate` when someone answers, when something else than a socket is there or
  ///   when the file cannot be made; `configuration` when the path is too long.
  package static func bind(path: String, mode: UInt32 = 0o600) throws(DaemonError) -> Self {
    guard path.utf8.count <= pathBytesMaximum else {
      throw DaemonError(
        .configuration,
        "The socket's path has \(path.utf8.count) bytes; at most \(pathBytesMaximum) are possible.",
        hint: "Choose a shorter one with --socket.")
    }
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try makeDirectory(directory)
    let lock = try lockDirectory(directory)
    defer { close(lock) }
    try removeStale(path)
    let descriptor = try streamSocket()
    do throws(DaemonError) {
      try bind(descriptor, path, mode)
    } catch {
      close(descriptor)
      throw error
    }
    return Self(descriptor: descriptor, path: path)
  }

  /// The path people connect to, also of a socket that was passed; `nil` if it has none.
  package var address: String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let answer = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard answer == 0 else { return nil }
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Removes the file of a socket made here, once nothing is accepted any more. Leaves one that
  /// was passed alone, and a file that is not there.
  package func removeFile() {
    if let path { unlink(path) }
  }

  /// Connects a socket to the one at `path`. Returns whether somebody answered.
  package static func connect(_ descriptor: Int32, to path: String) -> Bool {
    guard path.utf8.count <= pathBytesMaximum else { return false }
    return withAddress(path) { Glibc.connect(descriptor, $0, $1) } == 0
  }

  private init(descriptor: Int32, path: String?) {
    self.descriptor = descriptor
    self.path = path
  }

  private static func makeDirectory(_ path: String) throws(DaemonError) {
    let number = PrivateDirectory.make(path)
    guard number == 0 else {
      throw DaemonError(
        .cannotCreate, "The socket's directory “\(path)” cannot be made: \(systemText(number)).",
        hint: "Choose another path with --socket.")
    }
  }

  private static func lockDirectory(_ path: String) throws(DaemonError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      let text = systemText(errno)
      if descriptor >= 0 { close(descriptor) }
      throw DaemonError(
        .cannotCreate, "The socket's directory “\(path)” cannot be used: \(text).")
    }
    return descriptor
  }

  private static func removeStale(_ path: String) throws(DaemonError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw DaemonError(
        .cannotCreate, "“\(path)” exists and is not a socket.",
        hint: "Choose another path with --socket.")
    }
    let probe = try streamSocket()
    defer { close(probe) }
    let answer = withAddress(path) { Glibc.connect(probe, $0, $1) }
    // NB: a full queue of callers (EAGAIN) is an answer too.
    guard answer != 0, errno == ECONNREFUSED || errno == ENOENT else {
      throw DaemonError(
        .cannotCreate, "The socket “\(path)” is in use by another process.",
        hint: "Stop that one, or choose another path with --socket.")
    }
    unlink(path)
  }

  private static func streamSocket() throws(DaemonError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else {
      throw DaemonError(.cannotCreate, "No socket can be made: \(systemText(errno)).")
    }
    return descriptor
  }

  // The mode is set before anything listens: until then nobody can connect.
  private static func bind(
    _ descriptor: Int32, _ path: String, _ mode: UInt32
  ) throws(DaemonError) {
    guard withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0, chmod(path, mode) == 0,
      listen(descriptor, backlog) == 0
    else {
      throw DaemonError(
        .cannotCreate, "The socket “\(path)” cannot be made: \(systemText(errno)).",
        hint: "Choose another path with --socket.")
    }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
