// Its headers define the types of sockets, which the static C library's module lacks.
import CSystemd
import Foundation
import Glibc

/// A client of the service manager's notification protocol (sd_notify(3)).
///
/// If no service manager started the daemon, the functions do nothing. They never block for long. systemd's
/// own function blocks as long as the manager does not read its socket, and a busy manager must not stop the
/// daemon's service.
package struct Supervisor: Sendable {
  /// The time to wait for room in the socket, for messages that other units may depend on.
  private static let timeoutMilliseconds: Int32 = 1_000

  private let address: sockaddr_un?
  private let addressBytes: Int

  /// The interval within which the service manager expects a watchdog message; `nil` without a watchdog.
  package let watchdogInterval: Duration?

  /// Creates a client for the service manager that `environment` names (sd_notify(3),
  /// sd_watchdog_enabled(3)), if any.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let path = environment["NOTIFY_SOCKET"] ?? ""
    (address, addressBytes) = Self.address(of: path) ?? (nil, 0)
    watchdogInterval = Self.watchdogInterval(in: environment)
  }

  /// Reports that the daemon is ready. Units that are ordered after it can start.
  package func ready(status: String) {
    notify("READY=1\nSTATUS=\(oneLine(status))", timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Reports the status line that `systemctl status` shows. The message is dropped if the manager's socket
  /// is full.
  package func status(_ text: String) { notify("STATUS=\(oneLine(text))") }

  /// Reports that the daemon reads its settings again; call `ready` afterwards.
  package func reloading() {
    notify("RELOADING=1", timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Reports that the daemon is shutting down.
  package func stopping() { notify("STOPPING=1", timeoutMilliseconds: Self.timeoutMilliseconds) }

  /// Reports that the daemon is alive.
  package func feedWatchdog() { notify("WATCHDOG=1") }

  /// Stores a listening socket with the service manager, which passes it to the next process of the service.
  func store(_ descriptor: Int32, as name: String) {
    notify(
      "FDSTORE=1\nFDNAME=\(PassedSockets.storedPrefix)\(name)", descriptor: descriptor,
      timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Removes what is stored under a name.
  func removeStored(_ name: String) {
    notify(
      "FDSTOREREMOVE=1\nFDNAME=\(PassedSockets.storedPrefix)\(name)",
      timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  private func notify(
    _ message: String, descriptor: Int32? = nil, timeoutMilliseconds: Int32 = 0
  ) {
    guard var address else { return }
    let kind =
      CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let file = socket(AF_UNIX, kind, 0)
    guard file >= 0 else { return }
    defer { close(file) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // Only on a connected socket does poll(2) report when the receiver has room.
        guard connect(file, address, socklen_t(addressBytes)) == 0 else { return }
        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        if timeoutMilliseconds > 0 { poll(&waiting, 1, timeoutMilliseconds) }
        if let descriptor {
          Self.pass(descriptor, with: message, over: file)
        } else {
          _ = send(file, message, message.utf8.count, CInt(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Sends a message with a descriptor (cmsg(3)).
  private static func pass(_ descriptor: Int32, with message: String, over file: CInt) {
    let headerBytes = MemoryLayout<cmsghdr>.size
    var rights = cmsghdr()
    rights.cmsg_len = headerBytes + MemoryLayout<Int32>.size
    rights.cmsg_level = SOL_SOCKET
    rights.cmsg_type = CInt(SCM_RIGHTS)
    // The descriptor is padded to the size of a word.
    var control = [UInt8](repeating: 0, count: headerBytes + MemoryLayout<Int>.size)
    var text = Array(message.utf8)
    control.withUnsafeMutableBytes { control in
      control.storeBytes(of: rights, as: cmsghdr.self)
      control.storeBytes(of: descriptor, toByteOffset: headerBytes, as: Int32.self)
      text.withUnsafeMutableBytes { text in
        var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
        withUnsafeMutablePointer(to: &part) { part in
          var header = msghdr()
          header.msg_iov = part
          header.msg_iovlen = 1
          header.msg_control = control.baseAddress
          header.msg_controllen = control.count
          _ = sendmsg(file, &header, CInt(MSG_NOSIGNAL))
        }
      }
    }
  }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// Returns the address of a socket path, or of an abstract socket if the text begins with `@`; `nil` for
  /// other texts, which systemd never passes.
  private static func address(of path: String) -> (sockaddr_un, Int)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"),
      bytes.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return nil }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return (address, MemoryLayout<sa_family_t>.size + bytes.count)
  }

  private static func watchdogInterval(in environment: [String: String]) -> Duration? {
    guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 0,
      environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
    else { return nil }
    return .microseconds(microseconds)
  }
}
