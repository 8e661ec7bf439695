// The Unix socket on which a daemon listens: passed by systemd, or created here. A socket file that a killed
// process left behind is replaced; one that accepts connections is never removed. The directory is locked
// between this check and the bind, so that two daemons that start at once cannot both replace the file.

import CSystemd
import Glibc

/// A listening Unix socket.
package struct ListeningSocket: Sendable {
  /// The maximum length of a path. The kernel's `sockaddr_un` has 108 bytes, including a zero byte.
  package static let pathBytesMaximum = 107

  private static let backlog: Int32 = 512

  /// The non-blocking descriptor, for `ServerBootstrap.withBoundSocket`, which closes it.
  package let descriptor: Int32
  /// The path at which the socket was created; `nil` for one that the service manager passed and owns.
  package let path: String?

  /// Returns the socket that systemd passed, or creates one at `path` (see `bind`).
  package static func open(
    path: String, mode: UInt32 = 0o600, passed: PassedSockets
  ) throws(DaemonError) -> Self {
    if let local = passed.local { return local }
    return try bind(path: path, mode: mode)
  }

  /// Creates a socket from a descriptor that the service manager passed.
  /// - Throws: `configuration` if the descriptor is not a listening stream socket.
  package init(passed descriptor: Int32) throws(DaemonError) {
    guard sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
      throw DaemonError(
        .configuration, "The descriptor that systemd passed is not a listening Unix socket.",
        hint: "Set ListenStream= in the socket unit to a path.")
    }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    self.init(descriptor: descriptor, path: nil)
  }

  /// Creates a socket at `path`, and its directory with mode 0700 if it is missing. Replaces an existing
  /// socket file on which no process listens.
  /// - Throws: `cannotCreate` if another process listens there, if the file is not a socket, or if the socket
  ///   cannot be created; `configuration` if the path is too long.
  package static func bind(path: String, mode: UInt32 = 0o600) throws(DaemonError) -> Self {
    guard path.utf8.count <= pathBytesMaximum else {
      throw DaemonError(
        .configuration,
        "The socket's path has \(path.utf8.count) bytes; the limit is \(pathBytesMaximum).",
        hint: "Choose a shorter path with --socket.")
    }
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try makeDirectory(directory)
    let lock = try lockDirectory(directory)
    defer { close(lock) }
    try removeStale(path)
    let descriptor = try StreamSocket.make(AF_UNIX)
    do throws(DaemonError) {
      try bind(descriptor, path, mode)
    } catch {
      close(descriptor)
      throw error
    }
    return Self(descriptor: descriptor, path: path)
  }

  /// The path that clients connect to, also for a socket that systemd passed; `nil` if it has none.
  package var address: String? { Self.address(of: descriptor) }

  /// The path to which a socket is bound; `nil` if it has none.
  static func address(of descriptor: CInt) -> String? {
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

  /// Deletes the socket file after the daemon has stopped accepting connections. Does nothing for a socket
  /// that systemd passed, or if the file is missing.
  package func removeFile() {
    if let path { unlink(path) }
  }

  /// Connects `descriptor` to the socket at `path`. Returns whether that succeeded.
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
        .cannotCreate, "Cannot create the socket's directory “\(path)”: \(systemText(number)).",
        hint: "Choose another path with --socket.")
    }
  }

  private static func lockDirectory(_ path: String) throws(DaemonError) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      let text = systemText(errno)
      if descriptor >= 0 { close(descriptor) }
      throw DaemonError(
        .cannotCreate, "Cannot open and lock the socket's directory “\(path)”: \(text).")
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
    let probe = try StreamSocket.make(AF_UNIX)
    defer { close(probe) }
    let answer = withAddress(path) { Glibc.connect(probe, $0, $1) }
    // NB: a full backlog (EAGAIN) means that a process listens, too.
    guard answer != 0, errno == ECONNREFUSED || errno == ENOENT else {
      throw DaemonError(
        .cannotCreate, "The socket “\(path)” is in use by another process.",
        hint: "Stop that process, or choose another path with --socket.")
    }
    unlink(path)
  }

  // The mode is set before `listen`: until then no client can connect.
  private static func bind(
    _ descriptor: Int32, _ path: String, _ mode: UInt32
  ) throws(DaemonError) {
    guard withAddress(path, { Glibc.bind(descriptor, $0, $1) }) == 0, chmod(path, mode) == 0,
      listen(descriptor, backlog) == 0
    else {
      throw DaemonError(
        .cannotCreate, "Cannot create the socket “\(path)”: \(systemText(errno)).",
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
