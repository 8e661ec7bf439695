// What has grown old is removed: tombstones behind the horizon, the past, files that nobody needs,
// notifications of devices that stay away. A little at a time, with pauses, so that requests get
// their turn. How old something is is told by the time that the broker has watched pass.

import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import NIOCore
import Records

/// Removes what is old.
final class Reaping: Sendable {
  /// How long tombstones, and what waits for absent devices, are kept: what the protocol publishes.
  static let horizonSeconds: Int64 = 90 * 86_400
  private static let pastSeconds = Limits.earlierVersionDays * 86_400
  /// Rows of one transaction, so that commits wait for milliseconds only.
  private static let rowsMaximum = 1000

  private let store: any RecordStore
  private let storage: StorageThread
  private let assets: AssetThread
  private let collection: AssetCollection
  private let loop: any EventLoop
  private let logger: Logger
  private let clock: @Sendable () -> Timestamp

  init(
    store: any RecordStore, files: AssetFiles, storage: StorageThread, assets: AssetThread,
    loop: any EventLoop, logger: Logger, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.storage = storage
    self.assets = assets
    self.loop = loop
    self.logger = logger
    self.clock = clock
    collection = AssetCollection(store: store, files: files, logger: logger)
  }

  /// Removes what is old now; returns at once.
  func begin() {
    storage.addChore { [self] in
      let now = clock()
      guard let watched = watchClock(now) else { return }
      assets.removeStaleParts()
      collect(at: now)
      step(
        tombstones: watched.old(afterSeconds: Self.horizonSeconds),
        past: watched.old(afterSeconds: Self.pastSeconds))
    }
  }

  /// One step of everything; others follow as long as there is more.
  private func step(tombstones: OldTimes, past: OldTimes) {
    do {
      let isMore = try store.transact { transaction in
        let rows = try transaction.reap(tombstones: tombstones, rowsMaximum: Self.rowsMaximum)
        let isMorePast = try transaction.reapPast(past, rowsMaximum: Self.rowsMaximum)
        let isMoreTold = try transaction.reapNotifications(before: tombstones.before)
        let isMoreGone = try transaction.forgetZones(tombstones, rowsMaximum: Self.rowsMaximum)
        return rows > 0 || isMorePast || isMoreTold || isMoreGone
      }
      guard isMore else { return }
      again { $0.step(tombstones: tombstones, past: past) }
    } catch {
      logger.error("removing what is old failed", metadata: ["reason": "\(error.logText)"])
    }
  }

  private func collect(at now: Timestamp) {
    if collection.run(at: now) { again { $0.collect(at: now) } }
  }

  private func again(_ body: @escaping @Sendable (Reaping) -> Void) {
    loop.scheduleTask(in: .milliseconds(50)) { [self] in
      storage.addChore { [self] in body(self) }
    }
  }

  /// Notes what time it is; `nil` where that failed.
  private func watchClock(_ now: Timestamp) -> WatchedTime? {
    do {
      let (movement, watched) = try store.transact {
        try $0.watchClock(now, forgettingAfterSeconds: Self.horizonSeconds)
      }
      switch movement {
      case .on: break
      case .ahead(let seconds):
        logger.notice(
          "the clock has moved ahead, or the broker did not run: nothing grows older by that time",
          metadata: ["seconds": "\(seconds)", "now": "\(now)"])
      case .back(let seconds):
        logger.warning(
          "the clock was set back", metadata: ["seconds": "\(seconds)", "now": "\(now)"])
      }
      return watched
    } catch {
      logger.error("the clock was not looked at", metadata: ["reason": "\(error.logText)"])
      return nil
    }
  }
}
