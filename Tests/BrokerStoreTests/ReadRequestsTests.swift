// What a client and the broker's log are told of a read that fails.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Synchronization
import Testing

@Suite("Reads that fail")
struct ReadRequestsTests {
  @Test func `a client is told nothing of what the database said, and the log once`() throws {
    let path = try StoreKind.newPath()
    let client = try StoreClient(try SQLiteRecordStore(path: path))
    try hideRecords(at: path)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    let reports = Mutex<[String]>([])
    let result = client.store.result(
      of: .fetch(ConnectionID(1), replyTo: 1, client.identity, [id]), encode: { _ in [] },
      clock: QueryClock(now: time(3)) { false },
      report: { error in reports.withLock { $0.append(error.logText) } })
    guard case .failed(_, _, let error) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    #expect(error.message == "The broker could not read what was asked for.")
    #expect(!error.description.contains("record"))
    let reported = reports.withLock { $0 }
    #expect(reported.count == 1)
    #expect(reported.first?.contains("no such table") == true)
  }

  private func hideRecords(at path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "ALTER TABLE record RENAME TO hidden") }
    try queue.close()
  }
}
