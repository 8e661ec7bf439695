import CSystemd
import Glibc

/// The sockets that systemd passed to this process: one Unix socket for this machine, TCP sockets for other machines,
/// whose units have `FileDescriptorName=tls`, and those that the previous process of the service has stored.
package struct PassedSockets: Sendable {
  /// The Unix socket; `nil` if none was passed.
  package let local: ListeningSocket?
  /// The non-blocking descriptors of the TCP sockets.
  package let remote: [Int32]
  /// The sockets that the previous process stored, by name (`KeptSockets`).
  let stored: [String: Int32]

  /// The name of sockets for other machines.
  package static let remoteName = "tls"
  /// The beginning of the names of sockets that a process stores for the next one.
  static let storedPrefix = "stored-"

  /// Reads the sockets. Create it once, at the start.
  /// - Throws: `configuration` if one does not listen, is of another kind than its name says, or if there are
  ///   several Unix sockets.
  package init() throws(DaemonError) {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    defer {
      if let names {
        for index in 0..<Int(max(0, count)) { free(names[index]) }
        free(names)
      }
    }
    guard count >= 0 else {
      throw DaemonError(
        .configuration, "Cannot read the sockets that systemd passed: \(systemText(-count)).")
    }
    var passed: [(name: String, descriptor: Int32)] = []
    for index in 0..<Int(count) {
      // SD_LISTEN_FDS_START is 3.
      passed.append((names?[index].map { String(cString: $0) } ?? "", Int32(3 + index)))
    }
    try self.init(passed)
  }

  /// Sorts descriptors by their names.
  /// - Throws: as above.
  package init(_ passed: [(name: String, descriptor: Int32)]) throws(DaemonError) {
    let others = passed.filter {
      $0.name != Self.remoteName && !$0.name.hasPrefix(Self.storedPrefix)
    }
    guard others.count <= 1 else {
      throw DaemonError(
        .configuration,
        "systemd passed \(others.count) sockets for this machine; there must be at most one.",
        hint:
          "Set FileDescriptorName=\(Self.remoteName) in the units of sockets for other machines.")
    }
    local = try others.first.map { socket throws(DaemonError) in
      try ListeningSocket(passed: socket.descriptor)
    }
    var remote: [Int32] = []
    for (name, descriptor) in passed where name == Self.remoteName {
      guard sd_is_socket_inet(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0 else {
        throw DaemonError(
          .configuration, "The socket “\(name)” that systemd passed is not a listening TCP socket.",
          hint: "Set ListenStream= in the socket unit to a port.")
      }
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      remote.append(descriptor)
    }
    self.remote = remote
    let kept = passed.filter { $0.name.hasPrefix(Self.storedPrefix) }
    stored = Dictionary(
      kept.map { (String($0.name.dropFirst(Self.storedPrefix.count)), $0.descriptor) }
    ) {
      // A process that died right after it had stored a socket again leaves two.
      close($0)
      return $1
    }
  }
}
