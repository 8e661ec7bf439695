// Converts changes for devices, and on the broker for answers to a fetch and for records in
// conflicts. The broker's feed uses `ChangesEncoder` instead. Records stay encoded.

import FoundationEssentials
import Records
import SwiftProtobuf

extension Change {
  init(_ wire: WireChange) throws(RecordsError) {
    guard let kind = Kind(rawValue: UInt8(clamping: wire.kind.rawValue)) else {
      throw .unknownKind(of: "change")
    }
    try checkCount(wire.record.count, of: "Bytes of a record", limit: Limits.recordBytes)
    self.init(
      name: try RecordName(received: wire.name), tag: try Revision(wire: wire.tag), kind: kind,
      type: try Self.type(wire.type, of: kind), created: try Stamp(wire.created),
      modified: try Stamp(wire.modified), record: EncodedRecord(stored: Array(wire.record)),
      move: wire.hasMove ? try MoveID(wire: wire.move) : nil,
      former: wire.hasFormer ? try FormerVersion(wire.former) : nil)
  }

  // An evicted record may omit its type.
  static func type(_ text: String, of kind: Kind) throws(RecordsError) -> RecordType {
    kind == .evicted && text.isEmpty ? RecordType(stored: "") : try RecordType(text)
  }

  var wire: WireChange {
    .with {
      $0.name = name.text
      $0.tag = tag.wire
      $0.kind = WireChangeKind(rawValue: Int(kind.rawValue)) ?? .saved
      $0.type = type.text
      $0.created = created.wire
      $0.modified = modified.wire
      $0.record = Data(record.bytes)
      if let move { $0.move = move.wire }
      if let former { $0.former = former.wire }
    }
  }

  static func optionals(_ records: [WireFetchedRecord]) throws(RecordsError) -> [Change?] {
    try checkCount(records.count, of: "Records of a fetch", limit: Limits.idsPerFetch)
    var changes: [Change?] = []
    for record in records { changes.append(record.hasChange ? try Change(record.change) : nil) }
    return changes
  }

  static func wire(_ changes: [Change?]) -> WireFetched {
    .with {
      $0.records = changes.map { change in
        .with { if let change { $0.change = change.wire } }
      }
    }
  }
}

extension Stamp {
  init(_ wire: WireStamp) throws(RecordsError) {
    self.init(
      time: Timestamp(microseconds: wire.timeMicroseconds),
      origin: Origin(
        account: try AccountID(wire: wire.origin.account),
        device: try DeviceID(wire: wire.origin.device),
        request: try RequestNumber(wire: wire.origin.request)))
  }

  var wire: WireStamp {
    .with {
      $0.timeMicroseconds = time.microseconds
      $0.origin = .with {
        $0.account = origin.account.wire
        $0.device = origin.device.wire
        $0.request = origin.request.wire
      }
    }
  }
}

extension ZoneChanges {
  init(_ wire: WireChanges) throws(RecordsError) {
    let from = try Revision(wire: wire.from)
    let to = try Revision(wire: wire.to)
    try Self.check(from, through: to)
    var changes: [Change] = []
    changes.reserveCapacity(wire.changes.count)
    for encoded in wire.changes {
      let change = try Change(encoded)
      try Self.check(change.tag, after: changes.last?.tag ?? from, through: to)
      changes.append(change)
    }
    self.init(
      zone: try ZoneID(wire.zone), incarnation: try Incarnation(wire: wire.incarnation),
      from: from, to: to, scanStart: wire.hasScanStart ? try Revision(wire: wire.scanStart) : nil,
      lineage: wire.hasScanStart ? try Lineage(wire.lineage) : nil, changes: changes)
  }

  /// Checks the bounds of a page.
  static func check(_ from: Revision, through to: Revision) throws(RecordsError) {
    guard from <= to else { throw .invalid("A page of changes ends before it begins.") }
  }

  /// Checks the tag of the change that follows the one at `last`.
  static func check(
    _ tag: Revision, after last: Revision, through to: Revision
  ) throws(RecordsError) {
    guard tag > last, tag <= to else {
      throw .invalid("The tags in a page of changes must rise within its bounds.")
    }
  }

  var wire: WireChanges {
    .with {
      $0.zone = zone.wire
      $0.incarnation = incarnation.wire
      $0.from = from.wire
      $0.to = to.wire
      if let scanStart { $0.scanStart = scanStart.wire }
      $0.changes = changes.map(\.wire)
      if let lineage { $0.lineage = lineage.wire }
    }
  }
}

extension FormerHistory {
  init(_ wire: WireFormerHistory) throws(RecordsError) {
    guard wire.lostNames.count <= Limits.lostNames else {
      throw .limit("Names of lost records", limit: Limits.lostNames, actual: wire.lostNames.count)
    }
    guard wire.withheldNames.count <= Limits.lostNames else {
      throw .limit(
        "Names of withheld records", limit: Limits.lostNames, actual: wire.withheldNames.count)
    }
    let names = Set(wire.lostNames.map { RecordName(stored: $0) })
    let withheld = Set(wire.withheldNames.map { RecordName(stored: $0) })
    self.init(lineage: try Lineage(wire.lineage), lostNames: names, withheldNames: withheld)
  }

  var wire: WireFormerHistory {
    .with {
      $0.lineage = lineage.wire
      $0.lostNames = lostNames.map(\.text).sorted()
      $0.withheldNames = withheldNames.map(\.text).sorted()
    }
  }
}
