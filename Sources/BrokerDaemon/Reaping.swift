// What has grown old is removed: tombstones behind the horizon, the past, files that nobody needs,
// notifications of devices that stay away. A little at a time, with pauses, so that requests get
// their turn; and nothing at all while the clock by which it is old cannot be trusted.

import AssetFiles
import BrokerCore
import BrokerStore
import Logging
import NIOCore
import Records
import Synchronization

/// Removes what is old.
final class Reaping: Sendable {
  /// How long tombstones, and what waits for absent devices, are kept: what the protocol publishes.
  static let horizonSeconds: Int64 = 90 * 86_400
  private static let pastSeconds = Limits.pastDays * 86_400
  /// Rows of one transaction, so that commits wait for milliseconds only.
  private static let rowsMaximum = 1000

  private let store: any RecordStore
  private let storage: StorageThread
  private let assets: AssetThread
  private let collection: AssetCollection
  private let loop: any EventLoop
  private let logger: Logger
  private let clock: @Sendable () -> Timestamp
  private let wasTrusted = Mutex(true)

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
      guard isClockTrusted(now) else { return }
      assets.removeStaleParts()
      collect(at: now)
      step(at: now)
    }
  }

  /// One step of everything; others follow as long as there is more, by the time that was trusted.
  private func step(at now: Timestamp) {
    do {
      let horizon = now.adding(seconds: -Self.horizonSeconds)
      let isMore = try store.transact { transaction in
        let rows = try transaction.reap(
          tombstonesBefore: horizon, rowsMaximum: Self.rowsMaximum)
        let isMorePast = try transaction.reapPast(
          before: now.adding(seconds: -Self.pastSeconds), rowsMaximum: Self.rowsMaximum)
        let isMoreTold = try transaction.reapNotifications(before: horizon)
        return rows > 0 || isMorePast || isMoreTold
      }
      guard isMore else { return }
      again { $0.step(at: now) }
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

  private func isClockTrusted(_ now: Timestamp) -> Bool {
    do {
      let isTrusted = try store.transact { try $0.lookAtClock(now) }
      let isNews = wasTrusted.withLock { was in
        defer { was = isTrusted }
        return was != isTrusted
      }
      if isNews, !isTrusted {
        logger.warning(
          """
          the clock has moved by more than a day: nothing is removed for its age until \
          `contacts-broker clock confirm`
          """, metadata: ["now": "\(now)"])
      }
      return isTrusted
    } catch {
      logger.error("the clock was not looked at", metadata: ["reason": "\(error.logText)"])
      return false
    }
  }
}
