import BrokerClientTesting
import OfflineClient
import Testing

@Suite("E1 observing the status", .timeLimit(.minutes(2)))
struct StatusObservationTests {
  private let directory: DeviceDirectory

  init() throws { directory = try DeviceDirectory() }

  @Test func `the status comes now, and again when an edit waits, until the container is closed`()
    async throws
  {
    let container = try await directory.open("laptop")
    var statuses = container.observeStatus().makeAsyncIterator()
    let first = try await statuses.next()
    #expect(first?.pendingEditCount == 0 && first?.connection == .offline)
    let note = try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    #expect(try await statuses.next()?.pendingEditCount == 1)
    try await container.deleteRecord(withID: note.id)
    #expect(try await statuses.next()?.pendingEditCount == 0)
    try await container.close()
    #expect(try await statuses.next() == nil)
  }

  @Test func `a reader that lags behind gets the newest status, and then only newer ones`()
    async throws
  {
    let container = try await directory.open("laptop")
    var statuses = container.observeStatus().makeAsyncIterator()
    _ = try await statuses.next()
    for _ in 0..<20 { try await container.save(Record(recordType: "Note")) }
    #expect(try await statuses.next()?.pendingEditCount == 20)
    try await container.save(Record(recordType: "Note"))
    #expect(try await statuses.next()?.pendingEditCount == 21)
    try await container.close()
  }

  @Test func `an edit that the broker confirms, and the end of the connection, wake the reader`()
    async throws
  {
    let storage = try LocalBroker.Storage()
    let container = try await directory.open("laptop", broker: storage.address)
    var statuses = container.observeStatus().makeAsyncIterator()
    try await container.save(Record(recordType: "Note", fields: ["text": "a"]))
    var status = try await statuses.next()
    #expect(status?.pendingEditCount == 1 && status?.connection != .live)
    try await LocalBroker.run(on: storage) { _ in
      while let waiting = status, waiting.pendingEditCount > 0 || waiting.connection != .live {
        status = try await statuses.next()
      }
      #expect(status?.accountName == "ada")
    }
    while let live = status, live.connection == .live { status = try await statuses.next() }
    #expect(status?.pendingEditCount == 0)
    try await container.close()
  }

  @Test func `a conflict and its resolution wake the reader`() async throws {
    let storage = try LocalBroker.Storage()
    let laptop = try await directory.open("laptop", broker: storage.address)
    let phone = try await directory.open("phone", broker: storage.address)
    let id = RecordID(recordName: "n")
    try await LocalBroker.run(on: storage) { _ in
      try await laptop.save(Record(recordType: "Note", id: id, fields: ["text": "t"]))
      try await laptop.synced()
      try await phone.synced()
    }
    for (device, text) in [(laptop, "here"), (phone, "there")] {
      var record = try #require(try device.record(for: id))
      record["text"] = .string(text)
      try await device.save(record)
    }
    var statuses = laptop.observeStatus().makeAsyncIterator()
    var status = try await statuses.next()
    #expect(status?.conflictCount == 0)
    try await LocalBroker.run(on: storage) { _ in
      while let waiting = status, waiting.conflictCount == 0 { status = try await statuses.next() }
      let conflict = try #require(try laptop.conflicts().first)
      try await laptop.resolve(conflict, keeping: .mine)
      while let open = status, open.conflictCount > 0 { status = try await statuses.next() }
      #expect(status?.conflictCount == 0)
    }
    try await laptop.close()
    try await phone.close()
  }
}
