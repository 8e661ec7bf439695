// Decodes the two messages of which a device receives the most, pages of changes and outcomes of saves, without
// SwiftProtobuf: decoding them was a fourteenth of the work of an import's event loop. They are decoded here only if their
// fields are in order and there are no others, as a broker writes them. A frame of another form, or with an error, is left
// to SwiftProtobuf, so that there is one place that says what is wrong with it.

import Records

extension BrokerFrame {
  /// Decodes a frame that contains changes, or the outcome of a request that only saved records; `nil` if it has another
  /// form.
  init?(plain payload: ArraySlice<UInt8>) {
    let found = payload.withUnsafeBufferPointer { bytes in
      try? Self.decodePlain(FieldSequence(bytes))
    }
    guard let found else { return nil }
    self.init(replyTo: found.replyTo, message: found.message)
  }

  private static func decodePlain(
    _ fields: consuming FieldSequence
  ) throws(RecordsError) -> (replyTo: UInt64, message: BrokerMessage)? {
    let replyTo = try fields.unsigned(1) ?? 0
    let message: BrokerMessage?
    if let outcome = try fields.message(3) {
      message = try ModifyOutcome(plain: outcome).map { .outcome($0) }
    } else if let changes = try fields.message(6) {
      message = try ZoneChanges(plain: changes).map { .changes($0) }
    } else {
      return nil
    }
    guard let message, fields.isAtEnd else { return nil }
    return (replyTo, message)
  }
}

extension ZoneChanges {
  fileprivate init?(plain fields: consuming FieldSequence) throws(RecordsError) {
    guard let zone = try fields.message(1), let incarnation = try fields.content(2) else {
      return nil
    }
    let from = try Revision(wire: fields.unsigned(3) ?? 0)
    let to = try Revision(wire: fields.unsigned(4) ?? 0)
    let scanStart = try fields.unsigned(5)
    var changes: [Change] = []
    while let encoded = try fields.message(6) {
      guard let change = try Change(plain: encoded) else { return nil }
      try Self.check(change.tag, after: changes.last?.tag ?? from, through: to)
      changes.append(change)
    }
    guard fields.isAtEnd, let zone = try ZoneID(plain: zone) else { return nil }
    try Self.check(from, through: to)
    self.init(
      zone: zone, incarnation: try Incarnation(wire: incarnation), from: from, to: to,
      scanStart: try scanStart.map { value throws(RecordsError) in try Revision(wire: value) },
      lineage: scanStart == nil ? nil : Lineage(), changes: changes)
  }
}

extension ZoneID {
  fileprivate init?(plain fields: consuming FieldSequence) throws(RecordsError) {
    let owner = try fields.content(1)
    let name = try fields.content(2)
    guard fields.isAtEnd else { return nil }
    self.init(
      owner: try owner.map { bytes throws(RecordsError) in try AccountID(wireOrZero: bytes) }
        ?? .current,
      name: try name.map { bytes throws(RecordsError) in try ZoneName(wireOrZero: bytes) }
        ?? .standard)
  }
}

extension Change {
  fileprivate init?(plain fields: consuming FieldSequence) throws(RecordsError) {
    guard let name = try fields.text(1), let tag = try fields.unsigned(2),
      let kind = try Kind(rawValue: UInt8(clamping: fields.unsigned(3) ?? 0)),
      let type = try fields.text(4),
      let created = try fields.message(5), let modified = try fields.message(6)
    else { return nil }
    let record = try fields.content(7).map { Array($0) } ?? []
    let move = try fields.content(8)
    guard fields.isAtEnd, record.count <= Limits.recordBytes,
      let created = try Stamp(plain: created), let modified = try Stamp(plain: modified)
    else { return nil }
    self.init(
      name: try RecordName(received: name), tag: try Revision(wire: tag), kind: kind,
      type: try Self.type(type, of: kind), created: created, modified: modified,
      record: EncodedRecord(stored: record),
      move: try move.map { bytes throws(RecordsError) in try MoveID(wire: bytes) })
  }
}

extension Stamp {
  fileprivate init?(plain fields: consuming FieldSequence) throws(RecordsError) {
    let time = try fields.signed(1) ?? 0
    guard var origin = try fields.message(2), fields.isAtEnd,
      let account = try origin.content(1), let device = try origin.content(2)
    else { return nil }
    let request = try RequestNumber(wire: origin.unsigned(3) ?? 0)
    guard origin.isAtEnd else { return nil }
    self.init(
      time: Timestamp(microseconds: time),
      origin: Origin(
        account: try AccountID(wire: account), device: try DeviceID(wire: device),
        request: request))
  }
}

extension ModifyOutcome {
  fileprivate init?(plain fields: consuming FieldSequence) throws(RecordsError) {
    let number = try RequestNumber(wire: fields.unsigned(1) ?? 0)
    var groups: [[OperationResult]] = []
    while var group = try fields.message(2) {
      var results: [OperationResult] = []
      while let result = try group.message(1) {
        guard let result = try OperationResult(plainSave: result) else { return nil }
        results.append(result)
      }
      guard group.isAtEnd else { return nil }
      groups.append(results)
    }
    guard let time = try fields.signed(3), fields.isAtEnd else { return nil }
    self.init(number: number, groups: groups, time: Timestamp(microseconds: time))
  }
}

extension OperationResult {
  /// Decodes the result of a save; `nil` for every other result.
  fileprivate init?(plainSave fields: consuming FieldSequence) throws(RecordsError) {
    guard var saved = try fields.message(1), fields.isAtEnd else { return nil }
    let tag = try Revision(wire: saved.unsigned(1) ?? 0)
    guard saved.isAtEnd else { return nil }
    self = .saved(tag: tag)
  }
}
