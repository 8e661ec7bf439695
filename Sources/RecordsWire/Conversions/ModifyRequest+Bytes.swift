// A handwritten codec for modify requests. Every save sends one, and SwiftProtobuf takes six times
// as long. A test verifies that both produce the same bytes. A device also stores the encoding in
// its outbox, so that a repeated request is byte for byte the same.

import Records

extension ModifyRequest {
  /// The request as a `message Modify`, which the device stores until it has the outcome.
  package var encoded: [UInt8] {
    let capacityEstimate = groups.reduce(24) { sum, group in
      group.operations.reduce(sum + 64) { $0 + $1.capacityEstimate }
    }
    var writer = ByteWriter(reservingBytes: capacityEstimate)
    if number != .zero { writer.field(1, varint: number.wire) }
    if acknowledged != .zero { writer.field(2, varint: acknowledged.wire) }
    for group in groups { writer.field(3) { $0.write(group) } }
    return writer.bytes
  }

  /// Decodes a `message Modify`.
  /// - Throws: `invalidArguments`, `limitExceeded` or `incompatibleVersion` if it cannot be
  ///   decoded.
  package init(encoded bytes: some Collection<UInt8>) throws(RecordsError) {
    let bytes = ArraySlice(bytes)
    try RepeatedFieldLimits.checkRequest(bytes)
    var number = RequestNumber.zero
    var acknowledged = RequestNumber.zero
    var groups: [OperationGroup] = []
    var reader = ByteReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: number = try RequestNumber(wire: field.payload.unsigned())
      case 2: acknowledged = try RequestNumber(wire: field.payload.unsigned())
      case 3: groups.append(try OperationGroup(encoded: field.payload.slice()))
      default: break
      }
    }
    guard number > .zero else { throw .invalid("A request's number must be 1 or greater.") }
    self.init(number: number, acknowledged: acknowledged, groups: groups)
  }
}

extension OperationGroup {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var zone = ZoneID(owner: .current, name: .standard)
    var operations: [Records.Operation] = []
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: zone = try ZoneID(encoded: field.payload.slice())
      case 2: operations.append(try Operation(encoded: field.payload.slice()))
      default: break
      }
    }
    self.init(zone: zone, operations: operations)
  }
}

extension ZoneID {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var owner = AccountID.current
    var name = ZoneName.standard
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: owner = try AccountID(wireOrZero: field.payload.slice())
      case 2: name = try ZoneName(wireOrZero: field.payload.slice())
      default: break
      }
    }
    self.init(owner: owner, name: name)
  }
}

extension Records.Operation {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var operation: Self?
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: operation = .save(try Save(encoded: field.payload.slice()))
      case 2: operation = .delete(try Delete(encoded: field.payload.slice()))
      case 3: operation = try Self.zoneSave(field.payload.slice())
      case 4: operation = try Self.zoneDeletion(field.payload.slice())
      case 5: operation = .emptyTrash(through: try Self.through(field.payload.slice()))
      case 6:
        _ = try field.payload.slice()
        operation = .restoreZone
      default: break
      }
    }
    guard let operation else { throw .unknownKind(of: "operation") }
    self = operation
  }

  private static func zoneSave(_ encoded: ArraySlice<UInt8>) throws(RecordsError) -> Self {
    var title = ""
    var former: Revision?
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: title = try field.payload.text()
      case 2: former = try Revision(wire: field.payload.unsigned())
      default: break
      }
    }
    return .saveZone(title: try validatedTitle(title, of: "a title"), former: former)
  }

  private static func zoneDeletion(_ encoded: ArraySlice<UInt8>) throws(RecordsError) -> Self {
    var token: ChangeToken?
    var former: [VersionVector.Entry] = []
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: token = try ChangeToken(encoded: field.payload.slice())
      case 2: former.append(try VersionVector.Entry(encoded: field.payload.slice()))
      default: break
      }
      try checkCount(former.count, of: "Histories", limit: VersionVector.entriesMaximum)
    }
    return .deleteZone(ifUnchangedSince: token, former: VersionVector(former))
  }

  private static func through(_ encoded: ArraySlice<UInt8>) throws(RecordsError) -> Revision {
    var through = Revision.zero
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      if field.number == 1 { through = try Revision(wire: field.payload.unsigned()) }
    }
    return through
  }

  /// An upper estimate of the operation's encoded length.
  fileprivate var capacityEstimate: Int {
    switch self {
    case .save(let save): save.fields.bytes.count + 128
    case .deleteZone(_, let former): 128 + former.entries.count * 32
    case .delete, .saveZone, .restoreZone, .emptyTrash: 128
    }
  }
}

extension ChangeToken {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var incarnation: Incarnation?
    var (revision, scanStart) = (Revision.zero, Revision.zero)
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: incarnation = try Incarnation(wire: field.payload.slice())
      case 2: revision = try Revision(wire: field.payload.unsigned())
      case 3: scanStart = try Revision(wire: field.payload.unsigned())
      default: break
      }
    }
    guard let incarnation else { throw .invalid("A position in a zone must have an incarnation.") }
    self.init(incarnation: incarnation, revision: revision, scanStart: scanStart)
  }
}

extension Records.Operation.Save {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var (name, type) = ("", "")
    var policy = SavePolicy.ifServerRecordUnchanged
    var tag: Revision?
    var fields = EncodedRecord.empty
    var removed: [FieldKey] = []
    var removedCount = 0
    var former: FormerVersion?
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.payload.text()
      case 2: type = try field.payload.text()
      case 3: policy = try Self.policy(field.payload.unsigned())
      case 4: tag = try Revision(wire: field.payload.unsigned())
      case 5: fields = EncodedRecord(stored: Array(try field.payload.slice()))
      case 6:
        removedCount += 1
        // Count all for the error message, but store only as many as the limit allows.
        if removedCount <= Limits.fieldsPerRecord {
          removed.append(try FieldKey(field.payload.text()))
        }
      case 7: former = try FormerVersion(encoded: field.payload.slice())
      default: break
      }
    }
    try checkCount(removedCount, of: "Fields removed by a save", limit: Limits.fieldsPerRecord)
    self.init(
      name: try RecordName(name), type: try RecordType(type), policy: policy, tag: tag,
      fields: fields, removed: removed, former: former)
  }

  private static func policy(_ number: UInt64) throws(RecordsError) -> SavePolicy {
    guard let policy = SavePolicy(rawValue: UInt8(clamping: number)) else {
      throw .invalid("A save's policy must be ifUnchanged, changedKeys or allKeys.")
    }
    return policy
  }
}

extension Records.Operation.Delete {
  fileprivate init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var name = ""
    var tag: Revision?
    var isForced = false
    var move: MoveID?
    var former: FormerVersion?
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.payload.text()
      case 2: tag = try Revision(wire: field.payload.unsigned())
      case 3: isForced = try field.payload.unsigned() != 0
      case 4: move = try MoveID(wire: field.payload.slice())
      case 5: former = try FormerVersion(encoded: field.payload.slice())
      default: break
      }
    }
    self.init(
      name: try RecordName(name), tag: tag, isForced: isForced, move: move, former: former)
  }
}

// MARK: Writing

extension ByteWriter {
  fileprivate mutating func write(_ group: OperationGroup) {
    field(1) { (writer: inout ByteWriter) in
      let zone = group.zone
      if zone.owner != .current { writer.field(1, bytes: zone.owner.bytes) }
      if zone.name != .standard { writer.field(2, bytes: zone.name.bytes) }
    }
    for operation in group.operations { field(2) { $0.write(operation) } }
  }

  private mutating func write(_ operation: Records.Operation) {
    switch operation {
    case .save(let save): field(1) { $0.write(save) }
    case .delete(let delete): field(2) { $0.write(delete) }
    case .saveZone(let title, let former):
      field(3) { (writer: inout ByteWriter) in
        if !title.isEmpty { writer.field(1, string: title) }
        if let former { writer.field(2, varint: former.wire) }
      }
    case .deleteZone(let token, let former):
      field(4) { (writer: inout ByteWriter) in
        if let token { writer.field(1) { $0.write(token) } }
        for entry in former.entries { writer.field(2) { $0.write(entry) } }
      }
    case .restoreZone: field(6) { _ in }
    case .emptyTrash(let through):
      field(5) { if through != .zero { $0.field(1, varint: through.wire) } }
    }
  }

  private mutating func write(_ token: ChangeToken) {
    field(1, bytes: token.incarnation.bytes)
    if token.revision != .zero { field(2, varint: token.revision.wire) }
    if token.scanStart != .zero { field(3, varint: token.scanStart.wire) }
  }

  private mutating func write(_ save: Records.Operation.Save) {
    field(1, string: save.name.text)
    if !save.type.text.isEmpty { field(2, string: save.type.text) }
    if save.policy != .ifServerRecordUnchanged { field(3, varint: UInt64(save.policy.rawValue)) }
    if let tag = save.tag { field(4, varint: tag.wire) }
    if !save.fields.bytes.isEmpty { field(5, bytes: save.fields.bytes) }
    for key in save.removed { field(6, string: key.text) }
    if let former = save.former { field(7) { $0.write(former) } }
  }

  private mutating func write(_ delete: Records.Operation.Delete) {
    field(1, string: delete.name.text)
    if let tag = delete.tag { field(2, varint: tag.wire) }
    if delete.isForced { field(3, varint: 1) }
    if let move = delete.move { field(4, bytes: move.bytes) }
    if let former = delete.former { field(5) { $0.write(former) } }
  }
}
