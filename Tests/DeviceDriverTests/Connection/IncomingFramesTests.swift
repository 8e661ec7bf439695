import BrokerClientTesting
import BrokerLinks
import DeviceStore
import GRDB
import Glibc
import NIOCore
import Processes
import Records
import RecordsWire
import Synchronization
import Testing

@testable import DeviceDriver

@Suite("frames between the socket and the store")
struct IncomingFramesTests {
  private func frame(_ number: UInt64, byteCount: Int = 0) -> BrokerFrame {
    let stamp = Stamp(
      time: Timestamp(microseconds: 0),
      origin: Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1)))
    let change = Change(
      name: RecordName(stored: "r\(number)"), tag: Revision(Int64(number)), kind: .saved,
      type: DrivenDevice.type, created: stamp, modified: stamp,
      record: EncodedRecord(stored: [UInt8](repeating: 0, count: byteCount)))
    let page = ZoneChanges(
      zone: ZoneID.standard.resolved(for: AccountID(1)), incarnation: Incarnation(1), from: .zero,
      to: Revision(Int64(number)), scanStart: nil, changes: [change])
    return BrokerFrame(replyTo: number, message: .changes(page))
  }

  /// Frames of which the first is being prepared.
  private func preparing() -> IncomingFrames {
    var frames = IncomingFrames()
    _ = frames.append(frame(1))
    frames.begin(frames.takeInbox())
    return frames
  }

  /// Frames of which the first was prepared.
  private func prepared() -> IncomingFrames {
    var frames = preparing()
    let isInTime = frames.end([PreparedFrame(frame(1))], number: frames.number)
    #expect(isInTime)
    return frames
  }

  /// The numbers of all frames, in their order.
  private func numbers(_ frames: IncomingFrames) -> [UInt64] {
    var frames = frames
    return frames.takeAll().map(\.frame.replyTo)
  }

  @Test func `only the first frame of the inbox must be noticed`() {
    var frames = IncomingFrames()
    let first = (1...2).map { frames.append(frame($0)) }
    #expect(first == [true, false])
    let taken = frames.takeInbox().map(\.replyTo)
    let isFirst = frames.append(frame(3))
    #expect(taken == [1, 2] && isFirst)
  }

  @Test func `all frames are taken in their order, prepared or not`() {
    var frames = prepared()
    _ = frames.append(frame(2))
    #expect(numbers(frames) == [1, 2])
    _ = frames.takePrepared()
    frames.begin(frames.takeInbox())
    _ = frames.append(frame(3))
    #expect(numbers(frames) == [2, 3])
    _ = frames.takeAll()
    #expect(numbers(frames).isEmpty)
  }

  @Test func `a preparation that was given up has no result`() {
    var frames = preparing()
    let number = frames.number
    frames.removeAll()
    let isUsed = frames.end([PreparedFrame(frame(1))], number: number)
    _ = frames.append(frame(2))
    frames.begin(frames.takeInbox())
    let isUsedLater = frames.end([PreparedFrame(frame(1))], number: number)
    #expect(!isUsed && !isUsedLater && frames.isPreparing)
    #expect(numbers(frames) == [2])
  }

  @Test func `the inbox is bounded only while other frames are prepared or stored`() {
    let large = IncomingFrames.bytesMaximum
    var alone = IncomingFrames()
    _ = alone.append(frame(1, byteCount: large))
    #expect(!alone.isFull)
    for var frames in [preparing(), prepared()] {
      _ = frames.append(frame(2, byteCount: large / 2))
      #expect(!frames.isFull)
      _ = frames.append(frame(3, byteCount: large / 2))
      #expect(frames.isFull)
      _ = frames.takeInbox()
      #expect(!frames.isFull)
    }
  }

  @Test func `prepared frames wait for the next ones, unless these are here`() {
    var frames = prepared()
    #expect(!preparing().awaitsNext && frames.awaitsNext)
    _ = frames.append(frame(2))
    #expect(!frames.awaitsNext)
  }
}

@Suite("pages that are prepared on another thread", .timeLimit(.minutes(5)))
struct PreparedPagesTests {
  private static let count = 300

  private func saveMany(_ device: DrivenDevice) async throws {
    let edits = (0..<Self.count).map { DrivenDevice.save("r\($0)", ["title": .string("\($0)")]) }
    try await device.driver.edit { ((), try $0.edit(edits, now: $1)) }
  }

  private func count(_ device: DrivenDevice) throws -> Int {
    try device.driver.reader.records(in: .standard).count
  }

  @Test(arguments: [true, false])
  func `they arrive complete, and are not prepared by the loop`(isFirstSync: Bool) async throws {
    let preparations = Preparations()
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        if isFirstSync {
          try await saveMany(laptop)
          #expect(try await laptop.driver.synchronize(waitSeconds: 60))
        }
        let projections = { [PreparingProjection(preparations)] }
        try await DrivenDevice.with(
          "phone", broker: broker.address, projections: projections
        ) { phone in
          preparations.meanwhile = { [loop = phone.driver.loop] in
            #expect(!loop.inEventLoop)
          }
          if !isFirstSync {
            try await phone.waitUntilLive()
            try await saveMany(laptop)
          }
          try await phone.wait(for: "\(Self.count - 1)", of: "r\(Self.count - 1)")
          #expect(try count(phone) == Self.count)
          #expect(preparations.expected == Self.count)
          try await laptop.save("last", title: "last")
          try await phone.wait(for: "last", of: "last")
        }
      }
    }
  }

  @Test func `a connection that ends meanwhile loses nothing`() async throws {
    let preparations = Preparations()
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        let projections = { [PreparingProjection(preparations)] }
        try await DrivenDevice.with(
          "phone", broker: broker.address, projections: projections
        ) { phone in
          try await phone.waitUntilLive()
          let driver = phone.driver
          preparations.meanwhile = {
            try? driver.loop.submit { driver.assumeIsolated { $0.endConnection() } }.wait()
          }
          try await saveMany(laptop)
          try await phone.wait(for: "\(Self.count - 1)", of: "r\(Self.count - 1)")
          #expect(try count(phone) == Self.count && preparations.expected == 0)
          try await laptop.save("last", title: "last")
          try await phone.wait(for: "last", of: "last")
        }
      }
    }
  }

  @Test func `they are stored without a preparation that does not end`() async throws {
    let preparations = Preparations()
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        let projections = { [PreparingProjection(preparations)] }
        try await DrivenDevice.with(
          "phone", broker: broker.address, preparationLimit: .milliseconds(200),
          projections: projections
        ) { phone in
          try await phone.waitUntilLive()
          // It ends once the last record is here, or has not come in a minute.
          preparations.meanwhile = {
            for _ in 0..<60_000 where (try? phone.title("r\(Self.count - 1)")) == nil {
              usleep(1000)
            }
          }
          try await saveMany(laptop)
          try await phone.wait(for: "\(Self.count - 1)", of: "r\(Self.count - 1)")
          #expect(try count(phone) == Self.count && preparations.expected == 0)
        }
      }
    }
  }

  @Test func `a driver that stops meanwhile stores nothing more`() async throws {
    let preparations = Preparations()
    try await LocalBroker.run { broker in
      try await DrivenDevice.with("laptop", broker: broker.address) { laptop in
        let projections = { [PreparingProjection(preparations)] }
        try await DrivenDevice.with(
          "phone", broker: broker.address, projections: projections
        ) { phone in
          try await phone.waitUntilLive()
          let driver = phone.driver
          preparations.meanwhile = {
            try? driver.loop.submit { driver.assumeIsolated { $0.stop() } }.wait()
          }
          try await saveMany(laptop)
          try await Patience.wait(until: "the preparation") { preparations.count > 0 }
          #expect(await !driver.isPreparing)
          #expect(try count(phone) == 0)
        }
      }
    }
  }
}

/// What the projection of a device has prepared.
private final class Preparations: Sendable {
  private struct State {
    var meanwhile: @Sendable () -> Void = {}
    var count = 0
    var expected = 0
  }

  private let state = Mutex(State())

  /// What happens during the first preparation.
  var meanwhile: @Sendable () -> Void {
    get { state.withLock { $0.meanwhile } }
    set { state.withLock { $0.meanwhile = newValue } }
  }
  /// The number of preparations.
  var count: Int { state.withLock { $0.count } }
  /// The number of prepared records that were announced.
  var expected: Int { state.withLock { $0.expected } }

  /// Prepares records.
  func prepare(_ records: [DecodedRecord]) -> Int {
    let meanwhile = state.withLock { state in
      defer { state.meanwhile = {} }
      return state.meanwhile
    }
    meanwhile()
    state.withLock { $0.count += 1 }
    return records.count
  }

  func expect(_ count: Int) { state.withLock { $0.expected += count } }
}

/// A projection that counts what it prepares.
private final class PreparingProjection: Projection {
  var hasWork = false
  private let preparations: Preparations

  init(_ preparations: Preparations) { self.preparations = preparations }

  var preparation: RecordPreparation? {
    let preparations = preparations
    return { preparations.prepare($0) }
  }

  func expect(_ derived: any Sendable) { (derived as? Int).map { preparations.expect($0) } }

  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {}
  func remove(record: Int64, _ db: Database) throws {}
  func remove(zone: Int64, _ db: Database) throws {}
  func removeAll(_ db: Database) throws {}
}

extension ReplicaDriver {
  fileprivate var isPreparing: Bool {
    connection.preparation != nil || connection.incoming.isPreparing
  }

  /// Handles the end of the connection.
  fileprivate func endConnection() {
    receive(.closed(nil), attempt: connection.attempt)
  }
}
