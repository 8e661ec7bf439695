// The answer and the log entry for a read that fails.

import BrokerCore
import BrokerStore
import GRDB
import Predicates
import Records
import Synchronization
import Testing

@Suite("Reads that fail")
struct ReadRequestsTests {
  @Test func `a failed read is logged once, and the client gets no database error`() throws {
    let path = try StoreKind.newPath()
    let client = try StoreClient(try SQLiteRecordStore(path: path))
    try hideRecords(at: path)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    let reports = Mutex<[String]>([])
    let result = client.store.result(
      of: .client(
        .fetch([id]),
        RequestContext(connection: ConnectionID(1), replyTo: 1, identity: client.identity)),
      encode: { _ in [] }, clock: QueryClock(now: time(3)) { false },
      report: { error in reports.withLock { $0.append(error.logText) } })
    guard case .client(.error(let error), _, _) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    #expect(error.message == "The broker cannot read the requested data.")
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
