// A first sync is limited by the thread that stores its records. A third of that thread's work for a record needs neither
// the database nor the replica: decoding and encoding its fields, and what the application derives from them. A driver
// has it done on another thread while the replica stores the messages before. The result depends on the messages alone,
// and the replica does without it where there is none.

import Records
import RecordsWire

/// A decoded record, from which an application derives what it stores.
package struct DecodedRecord: Sendable {
  /// Its name.
  package let name: RecordName
  /// Its type.
  package let type: RecordType
  /// Its fields.
  package let fields: Fields
}

/// Derives from records what a projection needs when it stores them; see `Projection.expect`.
package typealias RecordPreparation = @Sendable (_ records: [DecodedRecord]) -> any Sendable

/// The preparation of messages of the broker, which runs on any thread.
package struct FramePreparation: Sendable {
  /// The minimum number of changes that are worth a change of threads.
  package static let changesMinimum = 64

  /// The messages.
  package let frames: [BrokerFrame]
  /// This device, whose own changes are stored already.
  private let device: DeviceID?
  /// The application's preparations, in the order of its projections.
  private let preparations: [RecordPreparation?]

  /// Describes the preparation of messages.
  /// - Returns: `nil` if they have fewer than `minimum` changes to prepare.
  init?(
    _ frames: [BrokerFrame], for device: DeviceID?, _ projections: [any Projection], minimum: Int
  ) {
    let count = frames.reduce(0) { count, frame in
      count + Self.changes(of: frame).count { Self.isForeign($0, on: device) }
    }
    guard count >= minimum else { return nil }
    self.frames = frames
    self.device = device
    preparations = projections.map(\.preparation)
  }

  /// Returns the messages with what was prepared. Ends early, with less, if the task is cancelled.
  package func prepared() -> [PreparedFrame] {
    frames.map { frame in
      guard !Task.isCancelled else { return PreparedFrame(frame) }
      let changes = Self.changes(of: frame).filter { Self.isForeign($0, on: device) }
      return changes.isEmpty
        ? PreparedFrame(frame) : PreparedFrame(frame, PreparedChanges(changes, preparations))
    }
  }

  private static func changes(of frame: BrokerFrame) -> [Change] {
    if case .changes(let page) = frame.message { page.changes } else { [] }
  }

  /// Whether another device saved the record.
  private static func isForeign(_ change: Change, on device: DeviceID?) -> Bool {
    change.kind == .saved && change.modified.origin.device != device
  }
}

/// A message of the broker, with what was prepared.
package struct PreparedFrame: Sendable {
  /// The message.
  package let frame: BrokerFrame
  /// What was prepared for its changes; `nil` for nothing.
  let changes: PreparedChanges?

  /// A message that was not prepared.
  package init(_ frame: BrokerFrame) { self.init(frame, nil) }

  fileprivate init(_ frame: BrokerFrame, _ changes: PreparedChanges?) {
    self.frame = frame
    self.changes = changes
  }
}

/// The records of a message, decoded.
struct PreparedChanges: Sendable {
  private struct Record: Sendable {
    let name: RecordName
    let encoding: EncodedFields
  }

  /// What the projections derived from the records, in the order of the projections.
  let derived: [(any Sendable)?]
  private let records: [Revision: Record]

  /// Decodes records. Those that cannot be decoded are left to the transaction that stores the others.
  fileprivate init(_ changes: [Change], _ preparations: [RecordPreparation?]) {
    var records: [Revision: Record] = [:]
    records.reserveCapacity(changes.count)
    var decoded: [DecodedRecord] = []
    decoded.reserveCapacity(changes.count)
    for change in changes {
      guard let fields = try? change.record.fields() else { continue }
      records[change.tag] = Record(name: change.name, encoding: EncodedFields(fields))
      decoded.append(DecodedRecord(name: change.name, type: change.type, fields: fields))
    }
    self.records = records
    derived = preparations.map { $0?(decoded) }
  }

  /// Returns the fields that a change of the message saved; `nil` if they were not prepared.
  func encoding(of change: Change) -> EncodedFields? {
    guard change.kind == .saved, let record = records[change.tag], record.name == change.name
    else { return nil }
    return record.encoding
  }
}
