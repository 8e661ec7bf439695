// What the sync machine decided. The replica performs the steps for its store in one transaction, in their order, and
// passes the actions to its driver once the transaction is committed.

import Records

/// One decision of the sync machine.
package enum SyncStep: Hashable, Sendable {
  /// An action of the driver.
  case action(DriverAction)
  /// A change of the store.
  case store(StoreStep)

  /// Whether a transaction has to follow: for changes of the store, and where more may now be sent or downloaded or the
  /// time of the last synchronization changes.
  package var needsTransaction: Bool {
    switch self {
    case .store, .action(.phaseChanged(.live)), .action(.synchronized), .action(.assetLost),
      .action(.publicReadingBegan):
      true
    case .action: false
    }
  }
}

extension SyncStep {
  static func send(id: UInt64, _ message: ClientMessage) -> SyncStep {
    .action(.send(id: id, message))
  }

  static func wait(_ timer: SyncTimer, milliseconds: Int) -> SyncStep {
    .action(.wait(timer, milliseconds: milliseconds))
  }

  static func report(_ text: String) -> SyncStep { .action(.report(text)) }
}
