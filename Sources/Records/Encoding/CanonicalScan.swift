// Recognizes records that are encoded as `EncodedRecord.init(_:)` encodes them. Nearly every record that a
// client sends is, and recognizing it takes a tenth of the time of decoding it and encoding it again. The scan
// accepts only what it understands completely: whatever is unusual is decoded, which also finds the error.

extension EncodedRecord {
  /// Returns the record in its only encoding, the one that equal records share.
  /// - Throws: `invalidArguments` or `limitExceeded` if the bytes are not a valid record.
  package func canonical() throws(RecordsError) -> EncodedRecord {
    isCanonical ? self : EncodedRecord(try fields())
  }

  /// Whether the bytes are known to be a valid record in its only encoding. `false` says nothing.
  package var isCanonical: Bool {
    guard bytes.count <= Limits.recordBytes else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      var scan = CanonicalScan(bytes: bytes)
      return scan.fields(to: bytes.count, tag: Tag.recordField, scalarsOnly: false)
    }
  }
}

/// The first bytes of the parts: field numbers of records.proto with their wire types.
private enum Tag {
  static let recordField: UInt8 = 0x0A
  static let entryField: UInt8 = 0x1A
  static let first: UInt8 = 0x0A
  static let second: UInt8 = 0x12
  static let firstDouble: UInt8 = 0x09
  static let secondDouble: UInt8 = 0x11
  static let secondNumber: UInt8 = 0x10
}

/// A scan of a record's bytes. Each function reads one part from `index` and moves it to the part's end; it
/// returns `false` if the part is not certainly canonical.
private struct CanonicalScan {
  /// The entries of a field whose ids are compared with each other. A field with more is decoded, so that
  /// hostile input costs no more than the decoder's set.
  private static let entriesMaximum = 32

  let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Scans each `message Field`: valid keys in ascending order, each with a value.
  mutating func fields(to end: Int, tag: UInt8, scalarsOnly: Bool) -> Bool {
    var count = 0
    var last = UnsafeBufferPointer<UInt8>(rebasing: bytes[index..<index])
    while index < end {
      guard count < Limits.fieldsPerRecord, let fieldEnd = open(tag, end),
        let keyEnd = open(Tag.first, fieldEnd)
      else { return false }
      let key = part(to: keyEnd)
      guard FieldKey.isValid(key), count == 0 || last.lexicographicallyPrecedes(key),
        let valueEnd = open(Tag.second, fieldEnd), valueEnd == fieldEnd,
        value(to: valueEnd, scalarsOnly: scalarsOnly)
      else { return false }
      last = key
      count += 1
    }
    return index == end
  }

  /// Scans a `message Value` that extends to `end`.
  private mutating func value(to end: Int, scalarsOnly: Bool) -> Bool {
    guard index < end else { return false }
    let tag = bytes[index]
    switch tag {
    case 0x0A: return isLast(open(tag, end), end) && text(to: end)
    case 0x10, 0x28: return skip(tag, end) && varint(to: end) != nil && index == end
    case 0x19: return double(tag, end) != nil && index == end
    case 0x20: return flag(tag, end) && index == end
    case 0x32:
      guard isLast(open(tag, end), end) else { return false }
      index = end
      return true
    case 0x3A: return isLast(open(tag, end), end) && location(to: end)
    case 0x42: return isLast(open(tag, end), end) && reference(to: end)
    case 0x4A: return isLast(open(tag, end), end) && asset(to: end)
    case 0x52: return !scalarsOnly && isLast(open(tag, end), end) && list(to: end)
    case 0x5A: return !scalarsOnly && isLast(open(tag, end), end) && entries(to: end)
    default: return false
    }
  }

  private mutating func list(to end: Int) -> Bool {
    var count = 0
    while index < end {
      guard count < Limits.valuesPerList, let valueEnd = open(Tag.first, end),
        value(to: valueEnd, scalarsOnly: true)
      else { return false }
      count += 1
    }
    return index == end
  }

  private mutating func entries(to end: Int) -> Bool {
    var ids: [UInt128] = []
    while index < end {
      guard ids.count < Self.entriesMaximum, let entryEnd = open(Tag.first, end),
        let idEnd = open(Tag.first, entryEnd), idEnd - index == 16
      else { return false }
      let id = UnsafeRawBufferPointer(part(to: idEnd)).loadUnaligned(as: UInt128.self)
      guard !ids.contains(id), let positionEnd = open(Tag.second, entryEnd), text(to: positionEnd),
        fields(to: entryEnd, tag: Tag.entryField, scalarsOnly: true)
      else { return false }
      ids.append(id)
    }
    return index == end
  }

  private mutating func location(to end: Int) -> Bool {
    guard let latitude = double(Tag.firstDouble, end), let longitude = double(Tag.secondDouble, end)
    else { return false }
    return index == end && abs(latitude) <= 90 && abs(longitude) <= 180
  }

  private mutating func reference(to end: Int) -> Bool {
    guard let nameEnd = open(Tag.first, end),
      let name = String(validating: part(to: nameEnd), as: UTF8.self),
      (try? RecordName(name)) != nil
    else { return false }
    return flag(Tag.secondNumber, end) && index == end
  }

  private mutating func asset(to end: Int) -> Bool {
    guard let digestEnd = open(Tag.first, end), digestEnd - index == AssetDigest.byteCount else {
      return false
    }
    index = digestEnd
    return skip(Tag.secondNumber, end) && varint(to: end) != nil && index == end
  }

  // MARK: Parts

  private mutating func text(to end: Int) -> Bool {
    let text = part(to: end)
    // NB: without an early exit, so that the compiler tests many bytes at a time.
    return text.reduce(0, |) < 0x80 || String(validating: text, as: UTF8.self) != nil
  }

  /// Reads a tag and the bytes 0 or 1.
  private mutating func flag(_ tag: UInt8, _ end: Int) -> Bool {
    guard skip(tag, end), index < end, bytes[index] <= 1 else { return false }
    index += 1
    return true
  }

  /// Reads a tag and a finite number.
  private mutating func double(_ tag: UInt8, _ end: Int) -> Double? {
    guard skip(tag, end), end - index >= 8 else { return nil }
    let bits = UnsafeRawBufferPointer(part(to: index + 8)).loadUnaligned(as: UInt64.self)
    let number = Double(bitPattern: UInt64(littleEndian: bits))
    return number.isFinite ? number : nil
  }

  /// Reads a tag and a length; returns where the content ends.
  private mutating func open(_ tag: UInt8, _ end: Int) -> Int? {
    guard skip(tag, end), let length = varint(to: end), length <= UInt64(end - index) else {
      return nil
    }
    return index + Int(length)
  }

  private func isLast(_ contentEnd: Int?, _ end: Int) -> Bool { contentEnd == end }

  private mutating func skip(_ tag: UInt8, _ end: Int) -> Bool {
    guard index < end, bytes[index] == tag else { return false }
    index += 1
    return true
  }

  /// Reads an integer in its shortest form.
  private mutating func varint(to end: Int) -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while index < end, shift < 64 {
      let byte = bytes[index]
      index += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        let isShortest = byte != 0 || shift == 0
        return isShortest && (shift < 63 || byte == 1) ? result : nil
      }
      shift += 7
    }
    return nil
  }

  private mutating func part(to end: Int) -> UnsafeBufferPointer<UInt8> {
    defer { index = end }
    return UnsafeBufferPointer(rebasing: bytes[index..<end])
  }
}
