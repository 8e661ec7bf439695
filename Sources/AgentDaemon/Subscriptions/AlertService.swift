// Shows notifications on the desktop. The first shows at once; what comes within a second of it joins
// the same bubble, so that an import on another device is one line and not a thousand. Without leave,
// or without a desktop, nothing is shown and nothing is made up for later: the list has them all.

import DaemonKit
import DeviceDriver
import DeviceStore
import Logging
import Records
import ServiceLifecycle

/// Where notifications are shown. See `DesktopNotifier`.
protocol Desktop: Sendable {
  /// Shows one, or puts it in the place of an earlier one; returns its number.
  /// - Throws: when nobody shows it.
  func show(
    title: String, body: String, sound: String?, replacing replaced: UInt32
  ) async throws -> UInt32

  /// Nothing is shown any more.
  func close() async
}

extension DesktopNotifier: Desktop {}

/// Shows alerts.
struct AlertService: Service {
  /// How long others may join a bubble.
  static let joining = Duration.seconds(1)
  /// Notifications that one bubble tells of; more begin another.
  private static let joinedMax = 1_000
  /// Collapse keys whose bubbles are remembered.
  private static let keysMax = 64

  let reader: DeviceReader
  let hub: NotificationHub
  let desktop: any Desktop
  let logger: Logger
  /// Those up to here were shown before, or nobody wanted them.
  let start: Int64

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
        guard joined.count < Self.joinedMax, (try? await Task.sleep(for: Self.joining)) != nil
        else { break }
        let more = news(after: &last)
        guard !more.isEmpty else { break }
        joined += more
      }
    }
  }

  /// What came since, if it may be shown.
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

/// The last bubble of each collapse key; beyond the limit all are forgotten, and the next shows anew.
private struct KeyedBubbles {
  let limit: Int
  private var bubbles: [String: UInt32] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The bubble of a key; 0 for none.
  subscript(key: String?) -> UInt32 {
    get { key.flatMap { bubbles[$0] } ?? 0 }
    set {
      guard let key else { return }
      if bubbles.count >= limit, bubbles[key] == nil { bubbles = [:] }
      bubbles[key] = newValue
    }
  }
}
