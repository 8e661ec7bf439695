import DeviceDriver
import DeviceStore
import Logging
import Records
import SyncCore
import TimelineStore

extension ReplicaDriver {
  /// Requests a reading of the timeline and waits for its end.
  /// - Returns: whether everything was read by a reading that began after the call. `true` also if the broker has no
  ///   timeline for this account, because then there is nothing to wait for.
  nonisolated func refreshTimeline(waitSeconds: Double) async throws -> Bool {
    switch try await refreshPublicRecords(waitSeconds: waitSeconds) {
    case .done: true
    case .refused(let error):
      [.invalidArguments, .incompatibleVersion, .permissionFailure].contains(error.code)
    case .interrupted, nil: false
    }
  }

  /// Keeps a photo that a user looks at for some time, whatever the rule says. Photos on a full disk are shown too,
  /// so an error is only logged.
  nonisolated func keepPhoto(_ asset: Asset, seconds: Int64, logger: Logger) async {
    do {
      try await edit { replica, now in
        try replica.keepPhoto(asset.id, until: now.adding(seconds: seconds), now: now)
        return ((), [])
      }
    } catch {
      logger.debug(
        "Cannot store that a photo was viewed", metadata: ["error": "\(error.logText)"])
    }
  }
}
