// A small notification service on a real bus. It records and numbers the notifications that it should show.

import CSystemd
import Foundation
import Processes
import Records
import Synchronization

/// A bus of one test.
final class SessionBus {
  /// The address of the bus.
  let address: String
  private let program: RunningProgram

  /// Whether this machine has the programs that it needs.
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")

  /// Starts a bus in `directory`.
  init(in directory: TemporaryDirectory) async throws {
    let path = directory.file("bus")
    address = "unix:path=\(path)"
    unlink(path)
    program = try RunningProgram(
      "/usr/bin/dbus-daemon",
      ["--session", "--nofork", "--nosyslog", "--address=unix:path=\(path)"]
    )
    try await Patience.wait(until: "the bus") {
      guard let socket = try? UnixSocket(path: path) else { return false }
      socket.close()
      return true
    }
  }

  func kill() async throws { try await program.kill() }
}

/// A notification service.
final class FakeDesktop: Sendable {
  /// A notification that the service should show.
  struct Shown: Sendable, Equatable {
    let application: String
    let replaced: UInt32
    let title: String
    let body: String
  }

  private struct State {
    var shown: [Shown] = []
    var isStopped = false
    var isNamed = false
  }

  private let state = Mutex(State())
  private let hasMarkup: Bool

  var shown: [Shown] { state.withLock { $0.shown } }

  /// Creates a service on the bus at `address`. It answers when this initializer returns.
  init(address: String, hasMarkup: Bool = true) async throws {
    self.hasMarkup = hasMarkup
    Thread { [self] in serve(address) }.start()
    try await Patience.wait(until: "the desktop") { state.withLock { $0.isNamed } }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  private func serve(_ address: String) {
    var made: OpaquePointer?
    guard sd_bus_new(&made) >= 0, let bus = made else { return }
    defer { sd_bus_flush_close_unref(bus) }
    let name = "org.freedesktop.Notifications"
    sd_bus_set_address(bus, address)
    sd_bus_set_bus_client(bus, 1)
    guard sd_bus_start(bus) >= 0 else { return }
    let this = Unmanaged.passUnretained(self).toOpaque()
    sd_bus_add_object(
      bus, nil, "/org/freedesktop/Notifications",
      { message, this, _ in
        guard let message, let this else { return 0 }
        return Unmanaged<FakeDesktop>.fromOpaque(this).takeUnretainedValue().answer(message)
      }, this)
    guard sd_bus_request_name(bus, name, 0) >= 0 else { return }
    state.withLock { $0.isNamed = true }
    while !state.withLock({ $0.isStopped }), sd_bus_is_open(bus) > 0 {
      let code = sd_bus_process(bus, nil)
      guard code >= 0 else { return }
      if code == 0 { sd_bus_wait(bus, 20_000) }
    }
  }

  private func answer(_ message: OpaquePointer) -> Int32 {
    var answer: OpaquePointer?
    guard let member = sd_bus_message_get_member(message),
      sd_bus_message_new_method_return(message, &answer) >= 0, let answer
    else { return 0 }
    defer { sd_bus_message_unref(answer) }
    switch String(cString: member) {
    case "GetCapabilities":
      sd_bus_message_open_container(answer, CChar(UInt8(ascii: "a")), "s")
      for word in hasMarkup ? ["body", "body-markup"] : ["body"] {
        sd_bus_message_append_basic(answer, CChar(UInt8(ascii: "s")), word)
      }
      sd_bus_message_close_container(answer)
    case "Notify":
      let application = text(message)
      var replaced: UInt32 = 0
      sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &replaced)
      _ = text(message)
      let shown = Shown(
        application: application, replaced: replaced, title: text(message), body: text(message))
      var number = state.withLock { state in
        state.shown.append(shown)
        return replaced == 0 ? UInt32(state.shown.count) : replaced
      }
      sd_bus_message_append_basic(answer, CChar(UInt8(ascii: "u")), &number)
    default: return 0
    }
    sd_bus_send(nil, answer, nil)
    return 1
  }

  private func text(_ message: OpaquePointer) -> String {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0, let text else {
      return ""
    }
    return String(cString: text)
  }
}
