import BrokerClientTesting
import Dispatch
import OfflineClient
import Synchronization
import Testing

@Suite("E1 observing a query", .timeLimit(.minutes(2)))
struct RecordObservationTests {
  private let directory: DeviceDirectory
  private let notes = Query(
    recordType: "Note", predicate: "folder == 'a'",
    sortDescriptors: [Query.SortDescriptor(key: "text")])

  init() throws { directory = try DeviceDirectory() }

  private func note(_ text: String, folder: String) -> Record {
    Record(recordType: "Note", fields: ["text": .string(text), "folder": .string(folder)])
  }

  @Test func `the result comes now, and again after each change of it`() async throws {
    let container = try await directory.open("laptop")
    try await container.save(note("1", folder: "a"))
    var results = try container.observe(notes).makeAsyncIterator()
    #expect(try await results.next()?.map { $0["text"] } == ["1"])
    // Neither another folder nor another type changes the result.
    try await container.save(note("x", folder: "b"))
    try await container.save(Record(recordType: "Other", fields: ["folder": "a"]))
    var second = try await container.save(note("2", folder: "a"))
    #expect(try await results.next()?.map { $0["text"] } == ["1", "2"])
    second["folder"] = "b"
    try await container.save(second)
    #expect(try await results.next()?.map { $0["text"] } == ["1"])
    try await container.close()
    #expect(try await results.next() == nil)
  }

  @Test func `a container that is closed before its last events are read ends the observation`()
    async throws
  {
    let container = try await directory.open("laptop")
    let reader = SlowReader(try container.observe(notes))
    async let count = reader.resultCount()
    try await eventually { await reader.isWaiting }
    let pause = SlowReader.Pause()
    async let paused: Void = reader.pause(pause)
    try await eventually { pause.hasBegun }
    try await container.save(note("1", folder: "a"))
    try await container.close()
    pause.end()
    await paused
    #expect(try await count == 1)
  }

  @Test func `a change of another device arrives by itself`() async throws {
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      let phone = try await directory.open("phone", broker: broker.address)
      var results = try phone.observe(notes).makeAsyncIterator()
      #expect(try await results.next() == [])
      try await laptop.save(note("1", folder: "a"))
      #expect(try await results.next()?.map { $0["text"] } == ["1"])
      try await laptop.close()
      try await phone.close()
    }
  }

  @Test func `a reader that lags behind gets the newest result`() async throws {
    let container = try await directory.open("laptop")
    var results = try container.observe(notes).makeAsyncIterator()
    _ = try await results.next()
    for number in 0..<300 { try await container.save(note("\(number)", folder: "a")) }
    var count = 0
    while count < 300, let records = try await results.next() { count = records.count }
    #expect(count == 300)
    try await container.close()
  }

  @Test func `a change is not missed among many that do not concern the result`() async throws {
    let container = try await directory.open("laptop")
    var results = try container.observe(notes).makeAsyncIterator()
    #expect(try await results.next() == [])
    try await container.save(note("1", folder: "a"))
    // More than a reader's buffer holds.
    for number in 0..<100 {
      try await container.save(Record(recordType: "Other", fields: ["n": .int64(Int64(number))]))
    }
    #expect(try await results.next()?.map { $0["text"] } == ["1"])
    try await container.close()
  }

  @Test func `an edit that the broker confirms is reported with the broker's date`() async throws {
    let storage = try LocalBroker.Storage()
    let container = try await directory.open("laptop", broker: storage.address)
    try await container.save(note("1", folder: "a"))
    var results = try container.observe(notes).makeAsyncIterator()
    let unsent = try #require(try await results.next()?.first)
    var record = unsent
    try await LocalBroker.run(on: storage) { _ in
      while record.modificationDate == unsent.modificationDate,
        let records = try await results.next()
      {
        record = try #require(records.first)
      }
    }
    #expect(record.modificationDate != unsent.modificationDate)
    #expect(record.lastModifiedUserID != nil && record.fields == unsent.fields)
    // Another device's change would change the tag.
    #expect(record.recordChangeTag == unsent.recordChangeTag)
    try await container.close()
  }

  @Test func `an invalid predicate is refused before anything is observed`() async throws {
    let container = try await directory.open("laptop")
    let error = #expect(throws: RecordsError.self) {
      _ = try container.observe(Query(recordType: "Note", predicate: "folder = = 'a'"))
    }
    #expect(error?.code == .invalidArguments && error?.column != nil)
    try await container.close()
  }
}

/// A reader of an observation that can be kept from running.
private actor SlowReader {
  /// A time in which the reader does not run.
  final class Pause: Sendable {
    private let started = Mutex(false)
    fileprivate let gate = DispatchSemaphore(value: 0)

    var hasBegun: Bool { started.withLock { $0 } }
    fileprivate func begin() { started.withLock { $0 = true } }
    func end() { gate.signal() }
  }

  private let observation: RecordObservation
  /// Whether the reader has the first result and waits for the next one.
  private(set) var isWaiting = false

  init(_ observation: RecordObservation) { self.observation = observation }

  /// Reads until the observation ends, and returns the number of results.
  func resultCount() async throws -> Int {
    var count = 0
    for try await _ in observation {
      count += 1
      isWaiting = true
    }
    return count
  }

  func pause(_ pause: Pause) {
    pause.begin()
    pause.gate.wait()
  }
}
