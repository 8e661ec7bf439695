// What a record names beside itself: files, and the records it goes with (deleteSelf). Asked of every
// record that is written, and almost none names any, so the encoded form is walked without being
// decoded: from field to field by their lengths, into lists and entries only. About 30 ns for a
// record of ten texts. References that dangle when their record goes bind nobody, and are passed over.

/// What the fields of a record name, in lists and entries too.
package struct Mentions: Hashable, Sendable {
  /// The files, in their order; one that is named twice comes twice.
  package fileprivate(set) var assets: [Asset] = []
  /// The records that `deleteSelf` references name, in their order, each once: with any of them
  /// this one is deleted. No more are taken than a record may have, and one, which says that there
  /// are too many.
  package fileprivate(set) var parents: [RecordName] = []

  /// Nothing is named.
  package static let nothing = Mentions()

  fileprivate mutating func add(_ reference: Reference) {
    guard reference.action == .deleteSelf, parents.count <= Limits.parentsPerRecord,
      !parents.contains(reference.record)
    else { return }
    parents.append(reference.record)
  }
}

extension EncodedRecord {
  /// What the record names. What is not a record is read as far as it is one.
  package var mentions: Mentions {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, !buffer.isEmpty else { return .nothing }
      var walk = MentionsWalk(base: base)
      walk.fields(from: 0, to: buffer.count, number: 1)
      return walk.found
    }
  }
}

extension Fields {
  /// The field that names a record by a `deleteSelf` reference, the first one; for people.
  package func field(goingWith parent: RecordName) -> FieldKey? {
    all.first { $0.value.goes(with: parent) }?.key
  }
}

extension Value {
  fileprivate func goes(with parent: RecordName) -> Bool {
    switch self {
    case .reference(let reference):
      reference == Reference(record: parent, action: .deleteSelf)
    case .list(let values): values.contains { $0.goes(with: parent) }
    case .entries(let entries):
      entries.contains { $0.fields.all.contains { $0.value.goes(with: parent) } }
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .asset, .unknown: false
    }
  }
}

/// A walk over the bytes of a record. The field numbers are those of records.proto.
private struct MentionsWalk {
  let base: UnsafePointer<UInt8>
  var found = Mentions()

  /// Looks into each `message Field` numbered `number` between two places.
  mutating func fields(from start: Int, to end: Int, number: Int) {
    each(from: start, to: end) { walk, field, inner, innerEnd in
      guard field == number else { return }
      walk.each(from: inner, to: innerEnd) { walk, part, value, valueEnd in
        if part == 2 { walk.value(from: value, to: valueEnd) }
      }
    }
  }

  /// Looks at a `message Value`.
  private mutating func value(from start: Int, to end: Int) {
    // Texts, numbers and whatever else names nothing are left by their first byte.
    guard start < end, (8...11).contains(base[start] >> 3) else { return }
    each(from: start, to: end) { walk, kind, inner, innerEnd in
      switch kind {
      case 8: walk.reference(from: inner, to: innerEnd)
      case 9: walk.asset(from: inner, to: innerEnd)
      case 10:
        walk.each(from: inner, to: innerEnd) { walk, _, value, valueEnd in
          walk.scalar(from: value, to: valueEnd)
        }
      case 11:
        walk.each(from: inner, to: innerEnd) { walk, _, entry, entryEnd in
          walk.entry(from: entry, to: entryEnd)
        }
      default: break
      }
    }
  }

  /// Looks at a `message Value` where neither lists nor entries may stand.
  private mutating func scalar(from start: Int, to end: Int) {
    guard start < end, (8...9).contains(base[start] >> 3) else { return }
    value(from: start, to: end)
  }

  /// Looks into the scalars of a `message Entry`.
  private mutating func entry(from start: Int, to end: Int) {
    each(from: start, to: end) { walk, part, field, fieldEnd in
      guard part == 3 else { return }
      walk.each(from: field, to: fieldEnd) { walk, part, value, valueEnd in
        if part == 2 { walk.scalar(from: value, to: valueEnd) }
      }
    }
  }

  /// Takes a `message Asset`.
  private mutating func asset(from start: Int, to end: Int) {
    var digest: [UInt8] = []
    var sizeBytes: UInt64 = 0
    parts(from: start, to: end) { number, payload in
      switch (number, payload) {
      case (1, .bytes(let bytes)): digest = Array(bytes)
      case (2, .varint(let size)): sizeBytes = size
      default: break
      }
    }
    guard digest.count == AssetDigest.byteCount else { return }
    found.assets.append(Asset(digest: digest, sizeBytes: sizeBytes))
  }

  /// Takes a `message Reference`.
  private mutating func reference(from start: Int, to end: Int) {
    var name: RecordName?
    var action = Reference.Action.none
    parts(from: start, to: end) { number, payload in
      switch (number, payload) {
      case (1, .bytes): name = (try? payload.text()).flatMap { try? RecordName($0) }
      case (2, .varint(let value)):
        action = Reference.Action(rawValue: UInt8(clamping: value)) ?? .none
      default: break
      }
    }
    guard let name else { return }
    found.add(Reference(record: name, action: action))
  }

  private func parts(
    from start: Int, to end: Int, _ visit: (Int, ByteReader.Payload) -> Void
  ) {
    var reader = ByteReader(
      Array(UnsafeBufferPointer(start: base + start, count: end - start))[...])
    while let part = try? reader.next() { visit(part.number, part.payload) }
  }

  /// Calls `visit` with the number and the place of each length-delimited part.
  private mutating func each(
    from start: Int, to end: Int, _ visit: (inout MentionsWalk, Int, Int, Int) -> Void
  ) {
    var index = start
    while index < end {
      guard let tag = varint(&index, end) else { return }
      switch tag & 7 {
      case 0: guard varint(&index, end) != nil else { return }
      case 1: index += 8
      case 2:
        guard let length = varint(&index, end), length <= end - index else { return }
        visit(&self, tag >> 3, index, index + length)
        index += length
      case 5: index += 4
      default: return
      }
    }
  }

  private func varint(_ index: inout Int, _ end: Int) -> Int? {
    var result = 0
    var shift = 0
    while index < end, shift < 63 {
      let byte = base[index]
      index += 1
      result |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return result >= 0 ? result : nil }
      shift += 7
    }
    return nil
  }
}
