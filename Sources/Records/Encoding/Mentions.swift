// The assets and the `deleteSelf` parents that a record names. Every written record is checked for
// them and almost none has any. The encoded form is therefore scanned without decoding: the scan
// skips from field to field by length and enters only lists and entries. A record of ten texts
// takes about 30 ns. References with the action `none` are ignored: no check depends on them.

/// The assets and parent records that a record's fields name, including in lists and entries.
package struct Mentions: Hashable, Sendable {
  /// The assets in field order. An asset that is named twice appears twice.
  package fileprivate(set) var assets: [Asset] = []
  /// The targets of `deleteSelf` references in field order, each once. Deleting any of them deletes
  /// this record. Contains at most one more than `Limits.parentsPerRecord`, which shows that the limit
  /// is exceeded.
  package fileprivate(set) var parents: [RecordName] = []

  /// No assets and no parents.
  package static let nothing = Mentions()

  fileprivate mutating func add(_ reference: Reference) {
    guard reference.action == .deleteSelf, parents.count <= Limits.parentsPerRecord,
      !parents.contains(reference.record)
    else { return }
    parents.append(reference.record)
  }
}

extension EncodedRecord {
  /// The assets and parents that the record names. Bytes that are not a valid record are read up to
  /// the first error.
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
  /// Returns the key of the first field with a `deleteSelf` reference to `parent`, for error
  /// messages.
  package func field(referencingParent parent: RecordName) -> FieldKey? {
    all.first { $0.value.refersToParent(parent) }?.key
  }
}

extension Value {
  fileprivate func refersToParent(_ parent: RecordName) -> Bool {
    switch self {
    case .reference(let reference):
      reference == Reference(record: parent, action: .deleteSelf)
    case .list(let values): values.contains { $0.refersToParent(parent) }
    case .entries(let entries):
      entries.contains { $0.fields.all.contains { $0.value.refersToParent(parent) } }
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .asset, .unknown: false
    }
  }
}

/// A scan of a record's bytes. The field numbers are those of records.proto.
private struct MentionsWalk {
  let base: UnsafePointer<UInt8>
  var found = Mentions()

  /// Scans each `message Field` with the field number `number` between two offsets.
  mutating func fields(from start: Int, to end: Int, number: Int) {
    each(from: start, to: end) { walk, field, inner, innerEnd in
      guard field == number else { return }
      walk.each(from: inner, to: innerEnd) { walk, part, value, valueEnd in
        if part == 2 { walk.value(from: value, to: valueEnd) }
      }
    }
  }

  /// Scans a `message Value`.
  private mutating func value(from start: Int, to end: Int) {
    // The first byte identifies the kind. Texts, numbers and the like mention nothing.
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

  /// Scans a `message Value` that must be a scalar.
  private mutating func scalar(from start: Int, to end: Int) {
    guard start < end, (8...9).contains(base[start] >> 3) else { return }
    value(from: start, to: end)
  }

  /// Scans the scalars of a `message Entry`.
  private mutating func entry(from start: Int, to end: Int) {
    each(from: start, to: end) { walk, part, field, fieldEnd in
      guard part == 3 else { return }
      walk.each(from: field, to: fieldEnd) { walk, part, value, valueEnd in
        if part == 2 { walk.scalar(from: value, to: valueEnd) }
      }
    }
  }

  /// Reads a `message Asset`.
  private mutating func asset(from start: Int, to end: Int) {
    var digest: [UInt8] = []
    var sizeBytes: UInt64 = 0
    eachField(from: start, to: end) { number, payload in
      switch (number, payload) {
      case (1, .bytes(let bytes)): digest = Array(bytes)
      case (2, .varint(let size)): sizeBytes = size
      default: break
      }
    }
    guard digest.count == AssetDigest.byteCount else { return }
    found.assets.append(Asset(digest: digest, sizeBytes: sizeBytes))
  }

  /// Reads a `message Reference`.
  private mutating func reference(from start: Int, to end: Int) {
    var name: RecordName?
    var action = Reference.Action.none
    eachField(from: start, to: end) { number, payload in
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

  private func eachField(
    from start: Int, to end: Int, _ visit: (Int, ByteReader.Payload) -> Void
  ) {
    var reader = ByteReader(
      Array(UnsafeBufferPointer(start: base + start, count: end - start))[...])
    while let part = try? reader.next() { visit(part.number, part.payload) }
  }

  /// Calls `visit` with the field number and the offsets of each length-delimited field.
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
