// Requests. The same encoding is what a device freezes in its outbox, so that what is sent again
// is, byte for byte, what was sent first.

import FoundationEssentials
import Records
import SwiftProtobuf

extension ModifyRequest {
  /// The request as `message Modify`, to be kept until it has its outcome.
  package var encoded: [UInt8] { wire.encoded }

  /// Reads what `encoded` wrote.
  /// - Throws: `invalidArguments`, `limitExceeded` or `incompatibleVersion` with a sentence.
  package init(encoded bytes: [UInt8]) throws(RecordsError) {
    guard let wire = try? WireModify(serializedBytes: bytes) else {
      throw .invalid("The bytes of a request are not a valid encoding.")
    }
    try self.init(wire)
  }

  init(_ wire: WireModify) throws(RecordsError) {
    let count = wire.groups.reduce(0) { $0 + $1.operations.count }
    try checkCount(count, of: "Operations of a request", limit: Limits.operationsPerRequest)
    try checkCount(
      wire.groups.count, of: "Groups of a request", limit: Limits.operationsPerRequest)
    let number = try RequestNumber(wire: wire.number)
    guard number > .zero else { throw .invalid("Requests are numbered from 1.") }
    var groups: [OperationGroup] = []
    groups.reserveCapacity(wire.groups.count)
    for group in wire.groups { groups.append(try OperationGroup(group)) }
    self.init(
      number: number, acknowledged: try RequestNumber(wire: wire.acknowledged), groups: groups)
  }

  var wire: WireModify {
    .with {
      $0.number = number.wire
      $0.acknowledged = acknowledged.wire
      $0.groups = groups.map { group in
        .with {
          $0.zone = group.zone.wire
          $0.operations = group.operations.map(\.wire)
        }
      }
    }
  }
}

extension OperationGroup {
  fileprivate init(_ wire: WireGroup) throws(RecordsError) {
    var operations: [Operation] = []
    operations.reserveCapacity(wire.operations.count)
    for operation in wire.operations { operations.append(try Operation(operation)) }
    self.init(zone: try ZoneID(wire.zone), operations: operations)
  }
}

extension Records.Operation {
  fileprivate init(_ wire: WireOperation) throws(RecordsError) {
    switch wire.operation {
    case .save(let save): self = .save(try Save(save))
    case .delete(let delete):
      self = .delete(
        Delete(
          name: try RecordName(delete.name),
          tag: delete.hasTag ? try Revision(wire: delete.tag) : nil, isForced: delete.isForced))
    case .saveZone(let zone):
      self = .saveZone(title: try checkedTitle(zone.title, of: "a title"))
    case .deleteZone: self = .deleteZone
    case nil: throw .unknownKind(of: "operation")
    }
  }

  fileprivate var wire: WireOperation {
    .with {
      switch self {
      case .save(let save): $0.save = save.wire
      case .delete(let delete): $0.delete = delete.wire
      case .saveZone(let title): $0.saveZone.title = title
      case .deleteZone: $0.deleteZone = WireDeleteZone()
      }
    }
  }
}

extension Records.Operation.Save {
  fileprivate init(_ wire: WireSave) throws(RecordsError) {
    guard let policy = SavePolicy(rawValue: UInt8(clamping: wire.policy.rawValue)) else {
      throw .invalid("A save's policy is ifUnchanged, changedKeys or allKeys.")
    }
    try checkCount(
      wire.removed.count, of: "Fields a save removes", limit: Limits.fieldsPerRecord)
    var removed: [FieldKey] = []
    for key in wire.removed { removed.append(try FieldKey(key)) }
    self.init(
      name: try RecordName(wire.name), type: try RecordType(wire.type), policy: policy,
      tag: wire.hasTag ? try Revision(wire: wire.tag) : nil,
      fields: EncodedRecord(stored: Array(wire.fields)), removed: removed)
  }

  fileprivate var wire: WireSave {
    .with {
      $0.name = name.text
      $0.type = type.text
      $0.policy = WireSavePolicy(rawValue: Int(policy.rawValue)) ?? .ifUnchanged
      if let tag { $0.tag = tag.wire }
      $0.fields = Data(fields.bytes)
      $0.removed = removed.map(\.text)
    }
  }
}

extension Records.Operation.Delete {
  fileprivate var wire: WireDelete {
    .with {
      $0.name = name.text
      if let tag { $0.tag = tag.wire }
      $0.isForced = isForced
    }
  }
}
