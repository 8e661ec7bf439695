// Shows notifications on the person's desktop: org.freedesktop.Notifications on the session bus. The
// bus is opened when something is to be shown, and again when it went away. A call waits for its
// answer, so all of it happens on a thread of its own.

import CSystemd
import Glibc
import NIOPosix
import Synchronization

/// The desktop's notifications.
package final class DesktopNotifier: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let bus: Mutex<SessionBus?> = Mutex(nil)
  private let address: String?
  private let applicationName: String

  /// A notifier on the bus at `address`; `nil` for the session's own. Nothing is opened yet.
  package init(applicationName: String, address: String? = nil) {
    self.applicationName = applicationName
    self.address = address
    pool.start()
  }

  /// Shows a notification, or puts it in the place of an earlier one.
  /// - Parameters:
  ///   - body: plain text; what a desktop takes for markup is escaped.
  ///   - sound: a sound's name after the freedesktop.org specification.
  ///   - replaced: what an earlier call returned; 0 for none.
  /// - Returns: its number at the desktop.
  /// - Throws: `DaemonError` when there is no bus, or nobody on it shows notifications.
  package func show(
    title: String, body: String, sound: String?, replacing replaced: UInt32
  ) async throws -> UInt32 {
    let note = DesktopNote(
      applicationName: applicationName, title: title, body: body, sound: sound,
      replaced: replaced)
    return try await pool.runIfActive { [self] in try bus.withLock { try show(note, on: &$0) } }
  }

  private func show(_ note: DesktopNote, on bus: inout SessionBus?) throws -> UInt32 {
    if let open = bus {
      do {
        return try open.show(note)
      } catch {
        guard !open.isOpen else { throw error }
        // The bus went away; there may be a new one.
        bus = nil
      }
    }
    let new = try SessionBus(address: address)
    bus = new
    return try new.show(note)
  }

  /// Closes the bus and ends the thread.
  package func close() async {
    try? await pool.runIfActive { [self] in bus.withLock { $0 = nil } }
    // What cannot be ended in good order ends with the process.
    try? await pool.shutdownGracefully()
  }
}

/// What is to be shown.
struct DesktopNote {
  let applicationName: String
  let title: String
  let body: String
  let sound: String?
  let replaced: UInt32
}
