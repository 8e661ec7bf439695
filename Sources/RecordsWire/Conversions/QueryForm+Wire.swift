// Converts queries and their pages. Predicates remain text; the broker parses them.

import FoundationEssentials
import Records
import SwiftProtobuf

extension QueryForm {
  init(_ wire: WireQuery) throws(RecordsError) {
    self.init(
      database: try DatabaseScope(wire.database),
      zone: wire.hasZone ? try ZoneID(wire.zone) : nil, type: try RecordType(wire.type),
      predicate: try PredicateText(wire.predicate, wire.arguments),
      sort: wire.sort.map { SortOrder(key: $0.key, isDescending: $0.isDescending) },
      desiredKeys: wire.hasDesiredKeys ? try FieldKey.list(wire.desiredKeys.keys) : nil,
      limit: Int(wire.limit), cursor: wire.hasCursor ? Array(wire.cursor) : nil)
  }

  var wire: WireQuery {
    .with {
      $0.database = database.wire
      if let zone { $0.zone = zone.wire }
      $0.type = type.text
      $0.predicate = predicate.text
      $0.arguments = predicate.arguments.map(\.wire)
      $0.sort = sort.map { order in
        .with {
          $0.key = order.key
          $0.isDescending = order.isDescending
        }
      }
      if let desiredKeys { $0.desiredKeys = .with { $0.keys = desiredKeys.map(\.text) } }
      $0.limit = UInt32(clamping: limit)
      if let cursor { $0.cursor = Data(cursor) }
    }
  }
}

extension FoundPage {
  init(_ wire: WireQueryPage) throws(RecordsError) {
    var records: [Found] = []
    records.reserveCapacity(wire.records.count)
    for record in wire.records {
      records.append(Found(zone: try ZoneID(record.zone), change: try Change(record.change)))
    }
    self.init(
      records: records, cursor: wire.hasCursor ? Array(wire.cursor) : nil,
      incarnation: wire.incarnation.isEmpty ? nil : try Incarnation(wire: wire.incarnation),
      skipped: Int(wire.skipped))
  }

  var wire: WireQueryPage {
    .with {
      if let incarnation { $0.incarnation = incarnation.wire }
      $0.records = records.map { found in
        .with {
          $0.zone = found.zone.wire
          $0.change = found.change.wire
        }
      }
      if let cursor { $0.cursor = Data(cursor) }
      $0.skipped = UInt32(clamping: skipped)
    }
  }
}

extension PredicateText {
  init(_ text: String, _ arguments: [WireValue]) throws(RecordsError) {
    var values: [Value] = []
    for argument in arguments { values.append(try Value(encoded: argument.encoded)) }
    self.init(text, arguments: values)
  }
}

extension Value {
  /// The value as a generated message. Decoding its own encoding cannot fail.
  var wire: WireValue {
    var writer = ByteWriter()
    writer.write(self)
    guard let wire = try? WireValue(serializedBytes: writer.bytes) else {
      preconditionFailure("A value cannot be decoded from its own encoding.")
    }
    return wire
  }
}

extension FieldKey {
  static func list(_ keys: [String]) throws(RecordsError) -> [FieldKey] {
    try checkCount(keys.count, of: "Desired keys", limit: Limits.fieldsPerRecord)
    var result: [FieldKey] = []
    for key in keys { result.append(try FieldKey(key)) }
    return result
  }
}

extension DatabaseScope {
  init(_ wire: WireDatabaseScope) throws(RecordsError) {
    guard let scope = Self(rawValue: UInt8(clamping: wire.rawValue)) else {
      throw .unknownKind(of: "database")
    }
    self = scope
  }

  var wire: WireDatabaseScope { WireDatabaseScope(rawValue: Int(rawValue)) ?? .private }
}
