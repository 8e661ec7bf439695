// What contactsd adds to the work of its driver: idempotency keys, subscriptions to the
// timeline, and the status line of systemd.

import DaemonKit
import DeviceDriver
import DeviceStore
import Logging
import Records
import SyncCore
import TimelineStore

extension DriverHooks {
  /// The hooks of an agent.
  static func agent(supervisor: Supervisor, logger: Logger) -> DriverHooks {
    var hooks = DriverHooks()
    hooks.statusCommand = "contactsctl status"
    hooks.editBegins = { try KeyedRequest.editBegins($0) }
    hooks.phaseChanged = { supervisor.status("\($0)") }
    hooks.publicDatabaseRead = { try followTimeline($0, now: $1, logger) }
    return hooks
  }

  /// Subscribes to the timeline. The store knows whether the account is subscribed; an earlier call does not count,
  /// because another account may have signed in since, and the broker may have lost the subscriptions.
  private static func followTimeline(
    _ replica: Replica, now: Timestamp, _ logger: Logger
  ) throws -> [SyncAction] {
    do {
      return try replica.followTimeline(now: now)
    } catch let error as RecordsError {
      // Without notifications the device still reads the timeline at each connection.
      logger.notice(
        "The broker rejects subscriptions to the timeline",
        metadata: ["reason": "\(error.logText)"])
      return []
    }
  }
}
