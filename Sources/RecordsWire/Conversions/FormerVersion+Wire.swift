// Converts lineages and former versions. Requests and pages of changes have handwritten codecs, which use the second half.

import FoundationEssentials
import Records
import SwiftProtobuf

extension FormerVersion {
  init(_ wire: WireFormerVersion) throws(RecordsError) {
    self.init(VersionVector(try VersionVector.Entry.all(wire.versions)), isExact: wire.isExact)
  }

  var wire: WireFormerVersion {
    .with {
      $0.versions = versions.entries.map(\.wire)
      $0.isExact = isExact
    }
  }
}

extension Lineage {
  init(_ wire: [WireHistoryRevision]) throws(RecordsError) {
    self.init(try VersionVector.Entry.all(wire))
  }

  var wire: [WireHistoryRevision] { entries.map(\.wire) }
}

extension VersionVector.Entry {
  static func all(_ wire: [WireHistoryRevision]) throws(RecordsError) -> [Self] {
    try checkCount(wire.count, of: "Histories", limit: VersionVector.entriesMaximum)
    var entries: [Self] = []
    for entry in wire {
      entries.append(
        Self(
          incarnation: try Incarnation(wire: entry.incarnation),
          revision: try Revision(wire: entry.revision)))
    }
    return entries
  }

  var wire: WireHistoryRevision {
    .with {
      $0.incarnation = incarnation.wire
      $0.revision = revision.wire
    }
  }
}

// MARK: - Without SwiftProtobuf

extension FormerVersion {
  /// Decodes a `message FormerVersion`.
  init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var entries: [VersionVector.Entry] = []
    var isExact = false
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: entries.append(try VersionVector.Entry(encoded: field.payload.slice()))
      case 2: isExact = try field.payload.unsigned() != 0
      default: break
      }
      try checkCount(entries.count, of: "Histories", limit: VersionVector.entriesMaximum)
    }
    self.init(VersionVector(entries), isExact: isExact)
  }
}

extension VersionVector.Entry {
  /// Decodes a `message HistoryRevision`.
  init(encoded: ArraySlice<UInt8>) throws(RecordsError) {
    var incarnation: Incarnation?
    var revision = Revision.zero
    var reader = ByteReader(encoded)
    while let field = try reader.next() {
      switch field.number {
      case 1: incarnation = try Incarnation(wire: field.payload.slice())
      case 2: revision = try Revision(wire: field.payload.unsigned())
      default: break
      }
    }
    guard let incarnation else { throw .invalid("A history must have an incarnation.") }
    self.init(incarnation: incarnation, revision: revision)
  }
}

extension ByteWriter {
  mutating func write(_ former: FormerVersion) {
    for entry in former.versions.entries { field(1) { $0.write(entry) } }
    if former.isExact { field(2, varint: 1) }
  }

  mutating func write(_ entry: VersionVector.Entry) {
    field(1, bytes: entry.incarnation.bytes)
    if entry.revision != .zero { field(2, varint: entry.revision.wire) }
  }
}
