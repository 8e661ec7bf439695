// A connection to the session's D-Bus, limited to what notifications need: calls and answers, no signals.
// Used by one thread at a time.

import CSystemd
import Glibc

/// An open bus.
// Unchecked because of the C pointer: it is used under its owner's lock only.
final class SessionBus: @unchecked Sendable {
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// The timeout of a call. It includes the time to start the notification service.
  private static let timeoutMicroseconds: UInt64 = 3_000_000

  private let bus: OpaquePointer
  private var hasMarkup: Bool?

  /// Connects to the bus at `address`, or to the session bus if it is `nil`.
  /// - Throws: `unavailable` if there is no bus.
  init(address: String?) throws(DaemonError) {
    var opened: OpaquePointer?
    if let address {
      try Self.check(sd_bus_new(&opened), "Cannot create a D-Bus connection")
      guard let opened else { throw Self.failure(ENOMEM, "Cannot create a D-Bus connection") }
      bus = opened
      try Self.check(
        sd_bus_set_address(bus, address), "The address of the D-Bus session bus is invalid")
      try Self.check(sd_bus_set_bus_client(bus, 1), "Cannot create a D-Bus connection")
      try Self.check(sd_bus_start(bus), "Cannot connect to the D-Bus session bus")
    } else {
      try Self.check(sd_bus_open_user(&opened), "Cannot connect to the D-Bus session bus")
      guard let opened else { throw Self.failure(ENOMEM, "Cannot create a D-Bus connection") }
      bus = opened
    }
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Whether the connection is still open.
  var isOpen: Bool { sd_bus_is_open(bus) > 0 }

  /// Shows a notification.
  /// - Returns: The desktop's number for it.
  func show(_ note: DesktopNote) throws(DaemonError) -> UInt32 {
    let hasMarkup = if let known = self.hasMarkup { known } else { try interpretsMarkup() }
    self.hasMarkup = hasMarkup
    let answer = try call("Notify") { message throws(DaemonError) in
      try Self.append(message, note.applicationName)
      try Self.append(message, note.replaced, "u")
      // No icon.
      try Self.append(message, "")
      try Self.append(message, note.title)
      try Self.append(message, hasMarkup ? Self.escaped(note.body) : note.body)
      // No actions.
      try Self.container(message, "a", "s") { _ throws(DaemonError) in }
      try Self.container(message, "a", "{sv}") { message throws(DaemonError) in
        try Self.hint(message, "category", "im.received")
        if let sound = note.sound { try Self.hint(message, "sound-name", sound) }
      }
      // The desktop decides how long the notification stays visible.
      try Self.append(message, Int32(-1), "i")
    }
    defer { sd_bus_message_unref(answer) }
    var number: UInt32 = 0
    try Self.check(
      sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "u")), &number),
      "Cannot read the reply of the desktop's notification service")
    return number
  }

  /// Asks whether the desktop interprets markup in bodies. If so, plain text must be escaped.
  private func interpretsMarkup() throws(DaemonError) -> Bool {
    let answer = try call("GetCapabilities") { _ throws(DaemonError) in }
    defer { sd_bus_message_unref(answer) }
    try Self.check(
      sd_bus_message_enter_container(answer, CChar(UInt8(ascii: "a")), "s"),
      "Cannot read the reply of the desktop's notification service")
    var word: UnsafePointer<CChar>?
    while sd_bus_message_read_basic(answer, CChar(UInt8(ascii: "s")), &word) > 0, let found = word {
      if String(cString: found) == "body-markup" { return true }
    }
    return false
  }

  /// Returns `text` with the special characters of markup escaped. It compares code points, as markup parsers
  /// do: a `<` counts even if a combining mark follows, although Swift sees one character then.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&apos;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  // MARK: Calls

  /// - Returns: The answer, which the caller must release with `sd_bus_message_unref`.
  private func call(
    _ method: String, _ fill: (OpaquePointer) throws(DaemonError) -> Void
  ) throws(DaemonError) -> OpaquePointer {
    var made: OpaquePointer?
    try Self.check(
      sd_bus_message_new_method_call(bus, &made, Self.name, Self.path, Self.name, method),
      "Cannot create a call to the desktop's notification service")
    guard let message = made else {
      throw Self.failure(ENOMEM, "Cannot create a call to the desktop's notification service")
    }
    defer { sd_bus_message_unref(message) }
    try fill(message)
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    var answer: OpaquePointer?
    let code = sd_bus_call(bus, message, Self.timeoutMicroseconds, &error, &answer)
    // Process and drop other messages, or they would accumulate in the receive queue.
    while sd_bus_process(bus, nil) > 0 {}
    guard code >= 0, let answer else {
      let reason = error.message.map { String(cString: $0) } ?? systemText(-code)
      throw DaemonError(.unavailable, "The desktop's notification service failed: \(reason)")
    }
    return answer
  }

  private static func append(_ message: OpaquePointer, _ text: String) throws(DaemonError) {
    // NB: a C string ends at the first zero byte of `text`.
    let code = text.withCString {
      sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0)
    }
    try check(code, "Cannot encode the notification")
  }

  private static func append<Number>(
    _ message: OpaquePointer, _ number: Number, _ type: Unicode.Scalar
  ) throws(DaemonError) {
    let code = withUnsafePointer(to: number) {
      sd_bus_message_append_basic(message, CChar(UInt8(ascii: type)), $0)
    }
    try check(code, "Cannot encode the notification")
  }

  private static func container(
    _ message: OpaquePointer, _ type: Unicode.Scalar, _ contents: String,
    _ fill: (OpaquePointer) throws(DaemonError) -> Void
  ) throws(DaemonError) {
    try check(
      sd_bus_message_open_container(message, CChar(UInt8(ascii: type)), contents),
      "Cannot encode the notification")
    try fill(message)
    try check(sd_bus_message_close_container(message), "Cannot encode the notification")
  }

  private static func hint(
    _ message: OpaquePointer, _ key: String, _ value: String
  ) throws(DaemonError) {
    try container(message, "e", "sv") { message throws(DaemonError) in
      try append(message, key)
      try container(message, "v", "s") { message throws(DaemonError) in
        try append(message, value)
      }
    }
  }

  private static func check(_ code: CInt, _ what: String) throws(DaemonError) {
    guard code >= 0 else { throw failure(-code, what) }
  }

  private static func failure(_ code: CInt, _ what: String) -> DaemonError {
    DaemonError(.unavailable, "\(what): \(systemText(code)).")
  }
}
