import BrokerStore
import Records
import Synchronization

/// Which commits are known to be durable, for the threads that read. A reader could see changes that a standby which
/// takes over does not have, and a device would keep them.
final class CommitDoubt: Sendable {
  private let isOpen = Atomic(false)
  private let hasStandby = Atomic(false)
  private let durableThrough = Atomic<Int64>(-1)

  /// Calls `settle` and refuses reads until it returns: the outcome of this broker's last transaction is unknown.
  func whileOpen<Result>(_ settle: () -> Result) -> Result {
    isOpen.store(true, ordering: .sequentiallyConsistent)
    defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
    return settle()
  }

  /// - Throws: `unreachable` while the outcome is unknown.
  func refuseReads() throws(StoreError) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    throw StoreError(
      .unreachable, "It is unknown whether the last transaction was committed; it is looked up.")
  }

  /// Whether commits wait for a synchronous standby. Without one, whatever can be read is durable.
  var readsNeedConfirmation: Bool {
    get { hasStandby.load(ordering: .relaxed) }
    set { hasStandby.store(newValue, ordering: .relaxed) }
  }

  /// Whether the commit with this number and those before it are known to be durable.
  func isDurable(_ number: Int64) -> Bool {
    number <= durableThrough.load(ordering: .acquiring)
  }

  /// The commit with this number and those before it are durable.
  func confirmed(through number: Int64) {
    durableThrough.max(number, ordering: .releasing)
  }
}
