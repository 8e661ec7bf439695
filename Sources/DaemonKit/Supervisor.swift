// What a daemon tells the service manager: that it is ready, what it does, that it stops, and that it
// is alive. Where there is none (a shell started it) nothing is told and nothing fails. Telling never
// holds an event loop or a thread of the pool up for long: systemd's own function waits for as long as
// the manager does not read, and a manager that is busy is no reason to stop serving.

// Its headers say what kinds of sockets there are: the static C library's module leaves them out.
import CSystemd
import Foundation
import Glibc

/// The service manager, as seen by its service.
package struct Supervisor: Sendable {
  /// How long the word that others wait for may wait for room.
  private static let patienceMilliseconds: Int32 = 1_000

  private let address: sockaddr_un?
  private let addressBytes: Int

  /// How long the service manager waits for a sign of life; `nil` when it does not.
  package let watchdogInterval: Duration?

  /// Reaches the one that `environment` names (sd_notify(3), sd_watchdog_enabled(3)), if any.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let path = environment["NOTIFY_SOCKET"] ?? ""
    (address, addressBytes) = Self.address(of: path) ?? (nil, 0)
    watchdogInterval = Self.watchdogInterval(in: environment)
  }

  /// Everything is up: whoever waits for the unit may go on.
  package func ready(status: String) {
    tell("READY=1\nSTATUS=\(oneLine(status))", patienceMilliseconds: Self.patienceMilliseconds)
  }

  /// What is being done, in a few words; shown by `systemctl status`. Left out where the manager has
  /// more to read than it can.
  package func status(_ text: String) { tell("STATUS=\(oneLine(text))") }

  /// Settings are being read again; `ready` follows.
  package func reloading() {
    tell("RELOADING=1", patienceMilliseconds: Self.patienceMilliseconds)
  }

  /// The service drains and will be gone soon.
  package func stopping() { tell("STOPPING=1", patienceMilliseconds: Self.patienceMilliseconds) }

  /// The service is alive.
  package func feedWatchdog() { tell("WATCHDOG=1") }

  private func tell(_ message: String, patienceMilliseconds: Int32 = 0) {
    guard var address else { return }
    let kind =
      CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let file = socket(AF_UNIX, kind, 0)
    guard file >= 0 else { return }
    defer { close(file) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // Connected, because only then does poll(2) tell when the other side has room.
        guard connect(file, address, socklen_t(addressBytes)) == 0 else { return }
        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        if patienceMilliseconds > 0 { poll(&waiting, 1, patienceMilliseconds) }
        _ = send(file, message, message.utf8.count, CInt(MSG_NOSIGNAL))
      }
    }
  }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// A path, or with `@` in front a name without a file; `nil` for what systemd never says.
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
