import CSystemd
import Glibc
import NIOPosix
import Synchronization

/// Shows notifications on the user's desktop, through org.freedesktop.Notifications on the session bus.
///
/// The bus is opened for the first notification, and again after the connection was lost. Calls block until
/// the desktop answers, so they run on a thread of their own.
package final class DesktopNotifier: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let bus: Mutex<SessionBus?> = Mutex(nil)
  private let address: String?
  private let applicationName: String

  /// Creates a notifier for the bus at `address`, or for the session bus if it is `nil`. Does not connect.
  package init(applicationName: String, address: String? = nil) {
    self.applicationName = applicationName
    self.address = address
    pool.start()
  }

  /// Shows a notification, or replaces an earlier one.
  /// - Parameters:
  ///   - title: The summary line.
  ///   - body: Plain text, which is escaped if the desktop interprets markup.
  ///   - sound: The name of a sound from freedesktop.org's sound naming specification.
  ///   - replaced: The number of the notification to replace, from an earlier call; 0 for none.
  /// - Returns: The desktop's number for the notification.
  /// - Throws: `DaemonError` if there is no bus, or no program on it shows notifications.
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
        // The connection was lost; try once with a new one.
        bus = nil
      }
    }
    let new = try SessionBus(address: address)
    bus = new
    return try new.show(note)
  }

  /// Closes the bus and stops the thread.
  package func close() async {
    try? await pool.runIfActive { [self] in bus.withLock { $0 = nil } }
    // A thread that does not stop in order ends with the process.
    try? await pool.shutdownGracefully()
  }
}

/// The content of a desktop notification.
struct DesktopNote {
  let applicationName: String
  let title: String
  let body: String
  let sound: String?
  let replaced: UInt32
}
