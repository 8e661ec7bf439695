// A record on one device, and a broker with only that record: all short sequences of events, and many long random
// ones. Once everything is delivered, the device shows the broker's state.

import Records
import SyncCore
import Testing

@Suite("I7, I9, I13 a record's layers")
struct RecordLayersTests {
  @Test func `every short story ends with the device showing what the broker has`() {
    var stories = 0
    explore(RecordWorld(), depth: 6, path: [], &stories)
    #expect(stories > 10_000)
  }

  private func explore(
    _ world: RecordWorld, depth: Int, path: [RecordWorld.Event], _ stories: inout Int
  ) {
    var settled = world
    settled.settle()
    stories += 1
    guard settled.isLevel else {
      Issue.record("\(path) leaves \(settled.layers) beside \(settled.broker)")
      return
    }
    guard depth > 0 else { return }
    for event in RecordWorld.Event.allCases {
      var next = world
      guard next.perform(event) else { continue }
      explore(next, depth: depth - 1, path: path + [event], &stories)
    }
  }

  @Test func `long random sequences end with the broker's state, and an edit is shown at once`() {
    for seed in 0..<2_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var world = RecordWorld()
      for _ in 0..<40 {
        guard let event = RecordWorld.Event.allCases.randomElement(using: &generator) else {
          continue
        }
        let before = world.layers.shown
        guard world.perform(event) else { continue }
        if event == .send || event == .brokerTakes {
          #expect(world.layers.shown == before, "seed \(seed): sending changes nothing shown")
        }
      }
      world.settle()
      #expect(world.isLevel, "seed \(seed)")
    }
  }

  @Test func `an unsent edit that ends where it began has nothing to send`() {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    #expect(layers.hasPending)
    layers.shown = ["a": .string("1")]
    #expect(layers.operation == nil)
    #expect(layers.isClean)
  }

  @Test func `only changed fields are sent, all unsent edits in one`() {
    var layers = Self.synced(["a": .string("1"), "b": .string("1"), "c": .string("1")])
    layers.shown = ["a": .string("2"), "b": .string("1")]
    #expect(
      layers.operation
        == .save(
          Operation.Save(
            name: Self.name, type: Self.type, tag: Revision(1),
            fields: EncodedRecord(["a": .string("2")]), removed: ["c"])))
  }

  @Test func `a move from where the record was deleted is still sent, and no plain deletion is`() {
    for move in [MoveID(7), nil] {
      var layers = Self.synced(["a": .string("1")])
      layers.shown = nil
      layers.departure = move
      _ = layers.fed(BrokerState(tag: Revision(2), fields: nil), own: nil)
      let expected = move.map {
        Operation.delete(Operation.Delete(name: Self.name, tag: Revision(2), move: $0))
      }
      #expect(layers.operation == expected)
      #expect(layers.isClean == (move == nil))
    }
    var second = Self.synced(["a": .string("1")])
    second.shown = nil
    second.departure = MoveID(7)
    _ = second.fed(BrokerState(tag: Revision(2), fields: nil, move: MoveID(8)), own: nil)
    #expect(second.operation == nil && second.isClean)
  }

  @Test func `the device's own change in the feed is its outcome and merges nothing`() {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    layers.froze(in: RequestNumber(7))
    layers.shown = ["a": .string("3")]
    let effect = layers.fed(
      BrokerState(tag: Revision(2), fields: ["a": .string("2")]), own: RequestNumber(7))
    #expect(effect == .outcome)
    #expect(layers.ancestor.tag == Revision(2))
    #expect(layers.shown == ["a": .string("3")])
    #expect(layers.hasPending)
  }

  @Test func `a second edit made while the first is under way survives its lost reply`() throws {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    layers.froze(in: RequestNumber(7))
    layers.shown = ["a": .string("2"), "b": .string("3")]
    // The reply was lost; the request is sent again and has its first outcome.
    #expect(try layers.ended(RequestNumber(7), .saved(tag: Revision(2))) == .applied([]))
    #expect(layers.shown == ["a": .string("2"), "b": .string("3")])
    guard case .save(let save) = layers.operation else {
      Issue.record("The second edit has nothing to send.")
      return
    }
    #expect(save.tag == Revision(2))
    #expect(save.fields == EncodedRecord(["b": .string("3")]))
  }

  @Test func `the same field changed on both sides keeps the broker's and lists the other`() {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("mine")]
    let effect = layers.fed(
      BrokerState(tag: Revision(2), fields: ["a": .string("theirs")]), own: nil)
    guard case .merged(let conflicts) = effect, let conflict = conflicts.first else {
      Issue.record("\(effect)")
      return
    }
    #expect(conflict.losing == .string("mine"))
    #expect(conflict.winning == .string("theirs"))
    #expect(layers.shown == ["a": .string("theirs")])
    #expect(!layers.hasPending)
  }

  @Test func `deleted there and edited here: the edit stays and is listed`() {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    let effect = layers.fed(BrokerState(tag: Revision(2), fields: nil), own: nil)
    guard case .merged(let conflicts) = effect else {
      Issue.record("\(effect)")
      return
    }
    #expect(conflicts.map(\.kind) == [.deletedThere])
    #expect(layers.shown == ["a": .string("2")])
    #expect(layers.operation != nil)
  }

  @Test func `deleted here and edited there: the edit stays and is listed`() {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = nil
    let effect = layers.fed(BrokerState(tag: Revision(2), fields: ["a": .string("2")]), own: nil)
    guard case .merged(let conflicts) = effect else {
      Issue.record("\(effect)")
      return
    }
    #expect(conflicts.map(\.kind) == [.deletedHere])
    #expect(layers.shown == ["a": .string("2")])
    #expect(!layers.hasPending)
  }

  @Test func `a foreign change waits for the outcome of the edit under way`() throws {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    layers.froze(in: RequestNumber(1))
    let theirs = BrokerState(tag: Revision(3), fields: ["a": .string("2"), "b": .string("9")])
    #expect(layers.fed(theirs, own: nil) == .held)
    #expect(layers.shown == ["a": .string("2")])
    #expect(try layers.ended(RequestNumber(1), .saved(tag: Revision(2))) == .applied([]))
    #expect(layers.shown == theirs.fields)
    #expect(layers.isClean)
  }

  @Test func `an answer that comes after the broker lost the record still brings what only it had`()
    throws
  {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("1"), "b": .string("mine")]
    layers.froze(in: RequestNumber(7))
    // The broker lost the record: it is given up and sent again as a whole.
    layers.inFlight = nil
    layers.ancestor = .unknown
    let stamp = Stamp(
      time: Timestamp(microseconds: 1),
      origin: Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1)))
    let record = Change(
      name: layers.name, tag: Revision(4), kind: .saved, type: layers.type, created: stamp,
      modified: stamp, record: EncodedRecord(["a": .string("1"), "c": .string("theirs")]))
    let answer = OperationResult.failed(
      RecordsError(.serverRecordChanged, "It was changed."), serverRecord: record)
    #expect(try layers.ended(RequestNumber(7), answer) == .merged([]))
    let whole: Fields = ["a": .string("1"), "b": .string("mine"), "c": .string("theirs")]
    #expect(layers.shown == whole)
    guard case .save(let save) = layers.operation else {
      Issue.record("The record is not sent again.")
      return
    }
    #expect(save.tag == nil && save.fields == EncodedRecord(whole))
    // One that was heard about again since is left as it is.
    layers.ancestor = BrokerState(tag: Revision(9), fields: whole)
    #expect(try layers.ended(RequestNumber(7), answer) == .known)
  }

  @Test func `a refused edit gives way to the broker's state`() throws {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    layers.froze(in: RequestNumber(1))
    let error = RecordsError(.quotaExceeded, "Full.")
    let effect = try layers.ended(RequestNumber(1), .failed(error, serverRecord: nil))
    #expect(effect == .refused(error))
    #expect(layers.shown == ["a": .string("1")])
    #expect(layers.isClean)
  }

  @Test func `a refused edit that was changed meanwhile is tried once more`() throws {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = ["a": .string("2")]
    layers.froze(in: RequestNumber(1))
    layers.shown = ["a": .string("3")]
    let error = RecordsError(.invalidArguments, "Bad.")
    let effect = try layers.ended(RequestNumber(1), .failed(error, serverRecord: nil))
    #expect(effect == .requeued([]))
    #expect(layers.shown == ["a": .string("3")])
  }

  @Test func `older news than what is known changes nothing`() {
    var layers = Self.synced(["a": .string("1")], tag: 5)
    let effect = layers.fed(BrokerState(tag: Revision(4), fields: ["a": .string("0")]), own: nil)
    #expect(effect == .known)
    #expect(layers.shown == ["a": .string("1")])
  }

  /// Found by simulation (seed 45107).
  @Test func `a deletion whose outcome comes after a reading found it gone has the outcome's tag`()
    throws
  {
    var layers = Self.synced(["a": .string("1")])
    layers.shown = nil
    layers.froze(in: RequestNumber(7))
    #expect(layers.fed(BrokerState(tag: Revision(9), fields: nil), own: nil) == .held)
    #expect(try layers.ended(RequestNumber(7), .deleted(tag: Revision(2))) == .applied([]))
    #expect(layers.ancestor == BrokerState(tag: Revision(2), fields: nil))
    #expect(layers.shown == nil)
    #expect(layers.isClean)
  }

  @Test func `an untouched bundled contact gives way without a conflict`() {
    var layers = RecordLayers(
      name: Self.name, type: Self.type, ancestor: .unknown, shown: ["a": .string("1")],
      bundled: ["a": .string("1")])
    let theirs = BrokerState(tag: Revision(9), fields: ["a": .string("2")])
    #expect(layers.fed(theirs, own: nil) == .merged([]))
    #expect(layers.shown == ["a": .string("2")])
    #expect(layers.isClean)
  }

  static let name = RecordName(stored: "r")
  static let type = RecordType(stored: "Contact")

  static func synced(_ fields: Fields, tag: Int64 = 1) -> RecordLayers {
    RecordLayers(
      name: name, type: type, ancestor: BrokerState(tag: Revision(tag), fields: fields),
      shown: fields)
  }
}
