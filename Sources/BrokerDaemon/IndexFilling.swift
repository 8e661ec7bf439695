// An index that was declared since the broker last ran is filled while it serves: a little at a time
// between commits, so that nobody waits for more than some milliseconds; one that is no longer declared
// is removed likewise. Until it is whole queries go on as without it.

import BrokerStore
import Logging
import NIOCore
import Predicates
import Records

/// Brings what the database keeps in line with what is declared.
final class IndexFilling: Sendable {
  /// Rows of one transaction.
  private static let rowsMaximum = 1000
  private static let pauseMilliseconds: Int64 = 5

  private let store: any RecordStore
  private let storage: StorageThread
  private let loop: any EventLoop
  private let logger: Logger

  init(store: any RecordStore, storage: StorageThread, loop: any EventLoop, logger: Logger) {
    self.store = store
    self.storage = storage
    self.loop = loop
    self.logger = logger
  }

  /// Has these indexes and no others; returns once they are declared, and fills them meanwhile.
  func begin(_ indexes: [DeclaredIndex]) throws {
    try store.transact { try $0.declareIndexes(indexes) }
    storage.addChore { [self] in step(isFirst: true) }
  }

  private func step(isFirst: Bool = false) {
    do {
      let isMore = try store.transact { try $0.fillIndexes(rowsMaximum: Self.rowsMaximum) }
      if isMore, isFirst { logger.info("declared indexes are being filled") }
      guard isMore else {
        if !isFirst { logger.info("declared indexes are filled") }
        return
      }
      loop.scheduleTask(in: .milliseconds(Self.pauseMilliseconds)) { [self] in
        storage.addChore { [self] in step() }
      }
    } catch {
      logger.error(
        "declared indexes were not filled; queries go on without them",
        metadata: ["reason": "\(error.logText)"])
    }
  }
}
