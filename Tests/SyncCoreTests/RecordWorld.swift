// One record, one device, one broker and one other device, with everything that is under way
// between them: small enough to play every short story of it.

import Records
import SyncCore
import Testing

struct RecordWorld {
  enum Event: CaseIterable {
    case typeFirst, typeSecond, delete, send, brokerTakes, outcomeComes, feedComes
    case foreignEdit, foreignDelete
  }

  var layers = RecordLayers(
    name: RecordName(stored: "r"), type: RecordType(stored: "Contact"), ancestor: .unknown,
    shown: nil)
  /// What the broker has.
  private(set) var broker = BrokerState(tag: nil, fields: nil)
  private var head: Int64 = 0
  private var lastNumber: Int64 = 0
  private var counter = 0
  private var request: (number: RequestNumber, operation: Operation)?
  private var outcome: (number: RequestNumber, result: OperationResult)?
  private var feed: [(state: BrokerState, own: RequestNumber?)] = []

  var isLevel: Bool { layers.shown == broker.fields && layers.isClean }

  /// Lets something happen; `false` when it cannot happen now.
  mutating func perform(_ event: Event) -> Bool {
    switch event {
    case .typeFirst: type("first")
    case .typeSecond: type("second")
    case .delete:
      guard layers.shown != nil else { return false }
      layers.shown = nil
    case .send: return send()
    case .brokerTakes: return take()
    case .outcomeComes:
      guard let outcome else { return false }
      self.outcome = nil
      do {
        _ = try layers.ended(outcome.number, outcome.result)
      } catch {
        Issue.record("\(error)")
      }
    case .feedComes:
      guard !feed.isEmpty else { return false }
      let news = feed.removeFirst()
      _ = layers.fed(news.state, own: news.own)
    case .foreignEdit:
      counter += 1
      var fields = broker.fields ?? Fields()
      fields["first"] = .string("theirs-\(counter)")
      commit(fields, own: nil)
    case .foreignDelete:
      guard broker.fields != nil else { return false }
      commit(nil, own: nil)
    }
    return true
  }

  /// Delivers and sends until nothing is left to do.
  mutating func settle() {
    for _ in 0..<60 {
      let isBusy = [.feedComes, .brokerTakes, .outcomeComes, .send].contains { perform($0) }
      if !isBusy { return }
    }
  }

  private mutating func type(_ key: FieldKey) {
    counter += 1
    var fields = layers.shown ?? Fields()
    fields[key] = .string("mine-\(counter)")
    layers.shown = fields
  }

  private mutating func send() -> Bool {
    guard request == nil, outcome == nil, let operation = layers.operation else { return false }
    lastNumber += 1
    layers.froze(in: RequestNumber(lastNumber))
    request = (RequestNumber(lastNumber), operation)
    return true
  }

  private mutating func take() -> Bool {
    guard let request else { return false }
    self.request = nil
    outcome = (request.number, result(of: request.operation, number: request.number))
    return true
  }

  private mutating func result(of operation: Operation, number: RequestNumber) -> OperationResult {
    let tag = broker.fields == nil ? nil : broker.tag
    switch operation {
    case .save(let save):
      guard save.tag == tag else { return conflict }
      let set = (try? save.fields.fields()) ?? Fields()
      let changes = FieldChanges(set: set, removed: save.removed)
      commit(changes.applied(to: broker.fields ?? Fields()), own: number)
      return .saved(tag: Revision(head))
    case .delete(let delete):
      guard let tag else { return .deleted(tag: nil) }
      guard delete.tag == tag else { return conflict }
      commit(nil, own: number)
      return .deleted(tag: Revision(head))
    case .saveZone, .deleteZone, .restoreZone, .emptyTrash: return .zoneSaved
    }
  }

  private var conflict: OperationResult {
    .failed(RecordsError(.serverRecordChanged, "Changed."), serverRecord: change)
  }

  private var change: Change? {
    guard let tag = broker.tag else { return nil }
    let stamp = Stamp(
      time: Timestamp(microseconds: 0),
      origin: Origin(account: AccountID(1), device: DeviceID(2), request: RequestNumber(1)))
    return Change(
      name: layers.name, tag: tag, kind: broker.fields == nil ? .deleted : .saved,
      type: layers.type, created: stamp, modified: stamp,
      record: broker.fields.map { EncodedRecord($0) } ?? .empty)
  }

  private mutating func commit(_ fields: Fields?, own: RequestNumber?) {
    head += 1
    broker = BrokerState(tag: Revision(head), fields: fields)
    feed.append((broker, own))
  }
}
