// Shows notifications on the desktop. The first one is shown at once; those that follow within a second are
// added to it, so that an import on another device is one alert and not a thousand. Without permission or a
// desktop nothing is shown, and nothing is shown later; the list contains all notifications.

import DaemonKit
import DeviceDriver
import DeviceStore
import Logging
import Records
import ServiceLifecycle

/// A desktop that shows notifications. See `DesktopNotifier`.
protocol Desktop: Sendable {
  /// Shows an alert, or replaces an earlier one; returns its number.
  /// - Throws: If no desktop shows it.
  func show(
    title: String, body: String, sound: String?, replacing replaced: UInt32
  ) async throws -> UInt32

  /// Releases the connection to the desktop.
  func close() async
}

extension DesktopNotifier: Desktop {}

/// Shows alerts.
struct AlertService: Service {
  /// The maximum number of notifications in one alert.
  private static let joinedMax = 1_000
  /// The number of collapse keys whose alerts are remembered.
  private static let keysMax = 64

  let reader: DeviceReader
  let hub: NotificationHub
  let desktop: any Desktop
  let logger: Logger
  /// The last notification that was shown before, or that need not be shown.
  let start: Int64
  /// How long notifications are added to an alert.
  var joining = Duration.seconds(1)

  func run() async {
    guard let watch = hub.watch() else { return }
    watch.notify()
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await show(watch)
      } onCancel: {
        watch.end()
      }
    }
    await desktop.close()
  }

  private func show(_ watch: NotificationHub.Watch) async {
    var last = start
    var keyed = KeyedBubbles(limit: Self.keysMax)
    var isMissing = false
    for await _ in watch.news {
      var joined = news(after: &last)
      var bubble: UInt32 = 0
      while !joined.isEmpty {
        if let alert = Alert(joined) {
          if bubble == 0 { bubble = keyed[alert.collapseKey] }
          do {
            bubble = try await desktop.show(
              title: alert.title, body: alert.body, sound: alert.sound, replacing: bubble)
            keyed[alert.collapseKey] = bubble
            if isMissing { logger.info("Desktop notifications are shown again") }
            isMissing = false
          } catch {
            if !isMissing {
              logger.notice(
                "Cannot show desktop notifications", metadata: ["reason": "\(error.logText)"])
            }
            isMissing = true
            break
          }
        }
        guard joined.count < Self.joinedMax, (try? await Task.sleep(for: joining)) != nil
        else { break }
        let more = news(after: &last)
        guard !more.isEmpty else { break }
        joined += more
      }
    }
  }

  /// Returns new notifications, if they may be shown.
  private func news(after last: inout Int64) -> [NotificationView] {
    do {
      let list = try reader.notifications(after: last, limit: Self.joinedMax)
      last = list.notifications.last?.sequence ?? last
      guard try Permission.notifications.answer(reader) == .allow else {
        last = max(last, list.last)
        return []
      }
      return list.notifications.filter(\.isAlert)
    } catch {
      logger.error(
        "Cannot read notifications from the database", metadata: ["error": "\(error.logText)"])
      return []
    }
  }
}

/// The latest alert of each collapse key. Beyond the limit all are forgotten, and the next one is a new
/// alert.
private struct KeyedBubbles {
  let limit: Int
  private var bubbles: [String: UInt32] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The alert of a key; 0 for none.
  subscript(key: String?) -> UInt32 {
    get { key.flatMap { bubbles[$0] } ?? 0 }
    set {
      guard let key else { return }
      if bubbles.count >= limit, bubbles[key] == nil { bubbles = [:] }
      bubbles[key] = newValue
    }
  }
}
