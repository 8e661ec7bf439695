// Decodes values from bytes. Input that two readers could understand differently is rejected: keys
// out of order, invalid UTF-8, non-finite numbers. The only unknown input that is accepted is a kind
// of value from a later version.

/// A decoder that collects fields and rejects keys that are out of order or repeated.
struct FieldsDecoder {
  private let scalarsOnly: Bool
  private var collected: [Fields.Field] = []

  /// Creates a decoder for a record's fields. With `scalarsOnly`, it rejects lists and entries, as
  /// for the fields of an entry.
  init(scalarsOnly: Bool = false) {
    self.scalarsOnly = scalarsOnly
  }

  var fields: Fields { Fields(sorted: collected) }

  mutating func add(_ encoded: UnsafeBufferPointer<UInt8>) throws(RecordsError) {
    guard collected.count < Limits.fieldsPerRecord else {
      throw .limit(
        "Fields of a record", limit: Limits.fieldsPerRecord, actual: collected.count + 1)
    }
    let field = try decodeField(encoded, scalarsOnly: scalarsOnly)
    if let last = collected.last, !(last.key < field.key) {
      throw .invalid(
        "The fields of a record must be sorted by key and unique; “\(field.key)” is not.",
        field: field.key.text)
    }
    if collected.isEmpty { collected.reserveCapacity(scalarsOnly ? 2 : 8) }
    collected.append(field)
  }
}

private typealias Bytes = UnsafeBufferPointer<UInt8>

private func decodeField(
  _ encoded: Bytes, scalarsOnly: Bool
) throws(RecordsError) -> Fields.Field {
  var key: FieldKey?
  var value: Value?
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    switch part.number {
    case 1: key = try part.payload.key()
    case 2: value = try decodeValue(part.payload.content(), scalarsOnly: scalarsOnly, of: key)
    default: break
    }
  }
  guard let key, let value else {
    throw .invalid("A field of a record lacks its key or its value.")
  }
  return Fields.Field(key: key, value: value)
}

extension Value {
  /// Decodes a serialized `Value`.
  /// - Throws: `invalidArguments` if the bytes are not a value.
  package init(encoded: [UInt8]) throws(RecordsError) {
    self = try encoded.withUnsafeBufferPointer { bytes throws(RecordsError) in
      try Value(encoded: bytes)
    }
  }

  /// Decodes a serialized `Value` in place.
  /// - Throws: `invalidArguments` if the bytes are not a value.
  package init(encoded: UnsafeBufferPointer<UInt8>) throws(RecordsError) {
    self = try decodeValue(encoded, scalarsOnly: false)
  }
}

/// Decodes a value and adds the field's key to an error. `key` is `nil` if the encoded field has its
/// value before its key, which is valid protobuf but unusual.
private func decodeValue(
  _ encoded: Bytes, scalarsOnly: Bool, of key: FieldKey?
) throws(RecordsError) -> Value {
  do {
    return try decodeValue(encoded, scalarsOnly: scalarsOnly)
  } catch {
    var named = error
    named.field = named.field ?? key?.text
    throw named
  }
}

// A list or entry inside another is rejected before it is decoded, so hostile input cannot cause deep
// recursion.
private func decodeValue(
  _ encoded: Bytes, scalarsOnly: Bool
) throws(RecordsError) -> Value {
  var reader = WireReader(encoded)
  guard let part = try reader.next() else { throw .invalid("A value in a record is empty.") }
  guard try reader.next() == nil else {
    throw .invalid("A value in a record has two kinds; it must have one.")
  }
  guard !scalarsOnly || part.number != 10 && part.number != 11 else {
    throw .invalid("Lists and entries in records can contain scalar values only.")
  }
  switch part.number {
  case 1: return .string(try part.payload.text())
  case 2: return .int64(try part.payload.signed())
  case 3: return .double(try part.payload.finiteDouble())
  case 4: return .boolean(try part.payload.unsigned() != 0)
  case 5: return .date(Timestamp(microseconds: try part.payload.signed()))
  case 6: return .bytes(Array(try part.payload.content()))
  case 7: return .location(try decodeLocation(part.payload.content()))
  case 8: return .reference(try decodeReference(part.payload.content()))
  case 9: return .asset(try decodeAsset(part.payload.content()))
  case 10: return .list(try decodeList(part.payload.content()))
  case 11: return .entries(try decodeEntries(part.payload.content()))
  default: return .unknown(Array(encoded))
  }
}

private func decodeLocation(_ encoded: Bytes) throws(RecordsError) -> Location {
  var latitude = 0.0
  var longitude = 0.0
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    switch part.number {
    case 1: latitude = try part.payload.finiteDouble()
    case 2: longitude = try part.payload.finiteDouble()
    default: break
    }
  }
  guard abs(latitude) <= 90, abs(longitude) <= 180 else {
    throw .invalid("A location must be within ±90° of latitude and ±180° of longitude.")
  }
  return Location(latitudeDegrees: latitude, longitudeDegrees: longitude)
}

private func decodeReference(_ encoded: Bytes) throws(RecordsError) -> Reference {
  var record: RecordName?
  var action = Reference.Action.none
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    switch part.number {
    case 1: record = try RecordName(part.payload.text())
    case 2:
      let number = try part.payload.unsigned()
      guard let known = Reference.Action(rawValue: UInt8(clamping: number)) else {
        throw .invalid("A reference's action must be none or deleteSelf.")
      }
      action = known
    default: break
    }
  }
  guard let record else { throw .invalid("A reference must name a record.") }
  return Reference(record: record, action: action)
}

private func decodeAsset(_ encoded: Bytes) throws(RecordsError) -> Asset {
  var digest: [UInt8] = []
  var sizeBytes: UInt64 = 0
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    switch part.number {
    case 1: digest = Array(try part.payload.content())
    case 2: sizeBytes = try part.payload.unsigned()
    default: break
    }
  }
  guard digest.count == 32 else {
    throw .invalid("An asset's digest must be a SHA-256 digest of 32 bytes.")
  }
  return Asset(digest: digest, sizeBytes: sizeBytes)
}

private func decodeList(_ encoded: Bytes) throws(RecordsError) -> [Value] {
  var values: [Value] = []
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    values.append(try decodeValue(part.payload.content(), scalarsOnly: true))
    guard values.count <= Limits.valuesPerList else {
      throw .limit("Values of a list", limit: Limits.valuesPerList, actual: values.count)
    }
  }
  return values
}

private func decodeEntries(_ encoded: Bytes) throws(RecordsError) -> [Entry] {
  var entries: [Entry] = []
  var seen: Set<EntryID> = []
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    let entry = try decodeEntry(part.payload.content())
    guard isNew(entry.id, among: entries, &seen) else {
      throw .invalid("Two entries of one field have the same id.")
    }
    entries.append(entry)
    guard entries.count <= Limits.valuesPerList else {
      throw .limit("Entries of a field", limit: Limits.valuesPerList, actual: entries.count)
    }
  }
  return entries
}

/// Whether an entry has the id of none of `entries`. Most fields have one or two entries, for which a set costs more than
/// the rest.
private func isNew(_ id: EntryID, among entries: [Entry], _ seen: inout Set<EntryID>) -> Bool {
  let comparedMaximum = 8
  guard entries.count >= comparedMaximum else { return !entries.contains { $0.id == id } }
  if seen.isEmpty { seen = Set(entries.map(\.id)) }
  return seen.insert(id).inserted
}

private func decodeEntry(_ encoded: Bytes) throws(RecordsError) -> Entry {
  var id: EntryID?
  var position = Position(stored: "")
  var decoder = FieldsDecoder(scalarsOnly: true)
  var reader = WireReader(encoded)
  while let part = try reader.next() {
    switch part.number {
    case 1: id = EntryID(bytes: try part.payload.content())
    case 2: position = Position(stored: try part.payload.text())
    case 3: try decoder.add(try part.payload.content())
    default: break
    }
  }
  guard let id else { throw .invalid("An entry's id must have 16 bytes.") }
  return Entry(id: id, position: position, fields: decoder.fields)
}
