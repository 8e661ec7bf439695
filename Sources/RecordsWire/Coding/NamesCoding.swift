// Ids, positions and names between the wire's plain types and the nouns that keep their rules.
// Reading checks everything; writing cannot fail.

import FoundationEssentials
import Records
import SwiftProtobuf

extension Identifier {
  /// Reads sixteen bytes.
  init(wire bytes: some Collection<UInt8>) throws(RecordsError) {
    guard let identifier = Self(bytes: bytes) else {
      throw .invalid("An id has 16 bytes; this one has \(bytes.count).")
    }
    self = identifier
  }

  /// Reads sixteen bytes, or none for the kind's well-known member, which is zero.
  init(wireOrZero bytes: some Collection<UInt8>) throws(RecordsError) {
    self = bytes.isEmpty ? Self(0) : try Self(wire: bytes)
  }

  var wire: Data { Data(bytes) }

  /// No bytes for the well-known member.
  var wireOrNothing: Data { value == 0 ? Data() : wire }
}

extension Revision {
  init(wire value: UInt64) throws(RecordsError) {
    self.init(try checkedNumber(value, of: "revision"))
  }

  /// - Precondition: not negative; no revision is.
  var wire: UInt64 { UInt64(value) }
}

extension RequestNumber {
  init(wire value: UInt64) throws(RecordsError) {
    self.init(try checkedNumber(value, of: "request number"))
  }

  /// - Precondition: not negative; no number is.
  var wire: UInt64 { UInt64(value) }
}

/// A number that counts something. Larger ones than `Limits.numberMaximum` are refused, so that adding
/// to one that a peer sent cannot overflow.
func checkedNumber(_ value: UInt64, of what: String) throws(RecordsError) -> Int64 {
  guard let number = Int64(exactly: value), number <= Limits.numberMaximum else {
    throw .invalid("A \(what) is at most 2⁶²; this one is \(value).")
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
      $0.owner = owner.wireOrNothing
      $0.name = name.wireOrNothing
    }
  }

  static func list(_ zones: [WireZoneID]) throws(RecordsError) -> [ZoneID] {
    try checkCount(zones.count, of: "Zones of a session", limit: Limits.zonesPerSession)
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
    try checkCount(positions.count, of: "Zones of a session", limit: Limits.zonesPerSession)
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

/// Refuses a list that is longer than `limit`.
func checkCount(_ count: Int, of what: String, limit: Int) throws(RecordsError) {
  guard count <= limit else { throw .limit(what, limit: limit, actual: count) }
}

/// Refuses a title or label that is too long or holds control characters: what a device asks for.
func plainTitle(_ text: String, of what: String) throws(RecordsError) -> String {
  guard !text.hasControlCharacters else {
    throw .invalid("\(what.prefix(1).uppercased())\(what.dropFirst()) holds no control characters.")
  }
  return try checkedTitle(text, of: what)
}

/// Refuses a title or label that is too long.
func checkedTitle(_ text: String, of what: String) throws(RecordsError) -> String {
  try checkCount(text.utf8.count, of: "Bytes of \(what)", limit: Limits.titleBytes)
  return text
}

extension Message {
  /// The message's bytes. Encoding fails only where a message is larger than two gigabytes or
  /// lacks a required field; ours are bounded and have none.
  var encoded: [UInt8] {
    do {
      return try serializedBytes()
    } catch {
      preconditionFailure("A message of ours cannot be encoded: \(error).")
    }
  }
}
