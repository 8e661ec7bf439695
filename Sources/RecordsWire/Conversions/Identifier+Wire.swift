// Converts ids, positions and names. Decoding validates everything; encoding cannot fail.

import FoundationEssentials
import Records
import SwiftProtobuf

extension Identifier {
  /// Decodes sixteen bytes. Throws `invalidArguments` for any other count.
  init(wire bytes: some Collection<UInt8>) throws(RecordsError) {
    guard let identifier = Self(bytes: bytes) else {
      throw .invalid("An id must have 16 bytes; this one has \(bytes.count).")
    }
    self = identifier
  }

  /// Decodes sixteen bytes, or no bytes as zero, the reserved id.
  init(wireOrZero bytes: some Collection<UInt8>) throws(RecordsError) {
    self = bytes.isEmpty ? Self(0) : try Self(wire: bytes)
  }

  var wire: Data { Data(bytes) }

  /// The sixteen bytes, or no bytes for the reserved id zero.
  var wireOrEmpty: Data { value == 0 ? Data() : wire }
}

extension Revision {
  init(wire value: UInt64) throws(RecordsError) {
    self.init(try checkedNumber(value, of: "revision"))
  }

  /// The revision as sent. Revisions are never negative.
  var wire: UInt64 { UInt64(value) }
}

extension RequestNumber {
  init(wire value: UInt64) throws(RecordsError) {
    self.init(try checkedNumber(value, of: "request number"))
  }

  /// The number as sent. Numbers are never negative.
  var wire: UInt64 { UInt64(value) }
}

/// Returns a counter as an integer. Rejects numbers above `Limits.numberMaximum`, so that adding to
/// a peer's number cannot overflow.
func checkedNumber(_ value: UInt64, of what: String) throws(RecordsError) -> Int64 {
  guard let number = Int64(exactly: value), number <= Limits.numberMaximum else {
    throw .invalid("A \(what) must be at most 2⁶²; this one is \(value).")
  }
  return number
}

extension ZoneID {
  init(_ wire: WireZoneID) throws(RecordsError) {
    self.init(
      owner: try AccountID(wireOrZero: wire.owner), name: try ZoneName(wireOrZero: wire.name))
  }

  var wire: WireZoneID {
    .with {
      $0.owner = owner.wireOrEmpty
      $0.name = name.wireOrEmpty
    }
  }

  static func list(_ zones: [WireZoneID]) throws(RecordsError) -> [ZoneID] {
    try checkCount(zones.count, of: "Zones of a connection", limit: Limits.zonesPerSession)
    var result: [ZoneID] = []
    for zone in zones { result.append(try ZoneID(zone)) }
    return result
  }
}

extension RecordID {
  static func list(_ records: [WireRecordID]) throws(RecordsError) -> [RecordID] {
    try checkCount(records.count, of: "Records of a fetch", limit: Limits.idsPerFetch)
    var result: [RecordID] = []
    for record in records {
      result.append(RecordID(zone: try ZoneID(record.zone), name: try RecordName(record.name)))
    }
    return result
  }

  var wire: WireRecordID {
    .with {
      $0.zone = zone.wire
      $0.name = name.text
    }
  }
}

extension ChangeToken {
  init(_ wire: WireChangeToken) throws(RecordsError) {
    self.init(
      incarnation: try Incarnation(wire: wire.incarnation),
      revision: try Revision(wire: wire.revision), scanStart: try Revision(wire: wire.scanStart))
  }

  var wire: WireChangeToken {
    .with {
      $0.incarnation = incarnation.wire
      $0.revision = revision.wire
      $0.scanStart = scanStart.wire
    }
  }
}

extension ZonePosition {
  static func list(_ positions: [WireZonePosition]) throws(RecordsError) -> [ZonePosition] {
    try checkCount(positions.count, of: "Zones of a connection", limit: Limits.zonesPerSession)
    var result: [ZonePosition] = []
    for position in positions {
      let token = position.hasToken ? try ChangeToken(position.token) : nil
      result.append(ZonePosition(zone: try ZoneID(position.zone), token: token))
    }
    return result
  }

  var wire: WireZonePosition {
    .with {
      $0.zone = zone.wire
      if let token { $0.token = token.wire }
    }
  }
}

/// Throws `limitExceeded` if `count` is greater than `limit`.
func checkCount(_ count: Int, of what: String, limit: Int) throws(RecordsError) {
  guard count <= limit else { throw .limit(what, limit: limit, actual: count) }
}

/// Returns a title or name from a request. Rejects one that is too long or contains control
/// characters.
func validatedTitle(_ text: String, of what: String) throws(RecordsError) -> String {
  guard !text.hasControlCharacters else {
    throw .invalid(
      "\(what.prefix(1).uppercased())\(what.dropFirst()) must not contain control characters.")
  }
  return try checkedTitle(text, of: what)
}

/// Returns a title or name. Rejects one that is too long.
func checkedTitle(_ text: String, of what: String) throws(RecordsError) -> String {
  try checkCount(text.utf8.count, of: "Bytes of \(what)", limit: Limits.titleBytes)
  return text
}

extension Message {
  /// The message's bytes. Encoding fails only for messages above two gigabytes or without a
  /// required field; the project's messages are bounded and have no required fields.
  var encoded: [UInt8] {
    do {
      return try serializedBytes()
    } catch {
      preconditionFailure("A message cannot be encoded: \(error).")
    }
  }
}
