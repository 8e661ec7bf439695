import Records
import Testing

@testable import BrokerCore

@Suite("I11 the storage queue")
struct StorageQueueTests {
  private let share = BrokerLimits.queuedBytesPerAccount

  @Test func `an account that used its share of the queue is refused, another is not`() throws {
    var queue = StorageQueue()
    try queue.add(share / 2, of: ConnectionID(1), account: 1)
    try queue.add(share / 2, of: ConnectionID(2), account: 1)
    let error = #expect(throws: RecordsError.self) {
      try queue.add(1, of: ConnectionID(3), account: 1)
    }
    #expect(error?.code == .zoneBusy)
    try queue.add(1, of: ConnectionID(4), account: 2)
    #expect(queue.byteCount == share + 1)
  }

  @Test func `a written request frees its bytes, even if its connection is closed`() throws {
    var queue = StorageQueue()
    try queue.add(share, of: ConnectionID(1), account: 1)
    queue.remove(share, of: ConnectionID(1))
    #expect(queue.byteCount == 0)
    try queue.add(share, of: ConnectionID(2), account: 1)
  }

  @Test func `the queue has a limit for all accounts together`() throws {
    var queue = StorageQueue()
    let accounts = BrokerLimits.queuedBytes / share
    for account in 1...accounts {
      try queue.add(share, of: ConnectionID(account), account: StoreKey(account))
    }
    #expect(throws: RecordsError.self) { try queue.add(1, of: ConnectionID(99), account: 99) }
  }
}
