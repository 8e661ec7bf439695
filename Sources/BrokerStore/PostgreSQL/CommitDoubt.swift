import Records
import Synchronization

/// Whether it is unknown if the last transaction is committed, and as durably as the server promises. Meanwhile nothing
/// is read: a reader could see changes that a standby which takes over does not have, and a device would keep them.
final class CommitDoubt: Sendable {
  private let isOpen = Atomic(false)

  /// Calls `settle` and refuses reads until it returns.
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
}
