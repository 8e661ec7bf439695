// Conversions between this library's values and those of the protocol. Invalid values, such as malformed
// names and numbers that are not finite, are rejected here, before anything is sent.

import FoundationEssentials
import Records

extension Value {
  /// Converts a value of the protocol.
  package init(_ stored: Records.Value) {
    switch stored {
    case .string(let text): self = .string(text)
    case .int64(let number): self = .int64(number)
    case .double(let number): self = .double(number)
    case .boolean(let truth): self = .boolean(truth)
    case .date(let time): self = .date(Date(time))
    case .bytes(let bytes): self = .bytes(bytes)
    case .location(let place):
      self = .location(place)
    case .reference(let reference):
      self = .reference(
        Reference(
          recordName: reference.record.text,
          action: reference.action == .deleteSelf ? .deleteSelf : .none))
    case .asset(let asset): self = .asset(Asset(asset))
    case .list(let values): self = .list(values.map(Value.init))
    case .entries(let entries): self = .entries(entries.map(Entry.init))
    case .unknown(let bytes): self = .unknown(bytes)
    }
  }

  func stored() throws(RecordsError) -> Records.Value {
    switch self {
    case .string(let text): return .string(text)
    case .int64(let number): return .int64(number)
    case .double(let number):
      guard number.isFinite else {
        throw RecordsError(.invalidArguments, "A field holds finite numbers only, not \(number).")
      }
      return .double(number)
    case .boolean(let truth): return .boolean(truth)
    case .date(let date): return .date(Timestamp(date))
    case .bytes(let bytes): return .bytes(bytes)
    case .location(let place): return .location(try place.validated())
    case .reference(let reference): return .reference(try reference.stored())
    case .asset(let asset): return .asset(asset.stored)
    case .list(let values): return .list(try Self.stored(values))
    case .entries(let entries):
      var stored: [Records.Entry] = []
      for entry in entries { stored.append(try entry.stored()) }
      return .entries(stored)
    case .unknown(let bytes): return .unknown(bytes)
    }
  }

  static func stored(_ values: [Value]) throws(RecordsError) -> [Records.Value] {
    var stored: [Records.Value] = []
    for value in values { stored.append(try value.stored()) }
    return stored
  }
}

extension Location {
  /// - Throws: `invalidArguments` if the coordinates are out of range.
  fileprivate func validated() throws(RecordsError) -> Location {
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 180 else {
      throw RecordsError(
        .invalidArguments, "No place is at \(latitudeDegrees), \(longitudeDegrees) degrees.")
    }
    return self
  }
}

extension Reference {
  fileprivate func stored() throws(RecordsError) -> Records.Reference {
    let name = try RecordID(recordName: recordName).storedName()
    return Records.Reference(record: name, action: action == .deleteSelf ? .deleteSelf : .none)
  }
}

extension Asset {
  /// Converts an asset of the protocol.
  package init(_ stored: Records.Asset) {
    self.init(digest: stored.digest, byteCount: stored.byteCount)
  }

  /// The asset as the protocol has it.
  package var stored: Records.Asset { Records.Asset(digest: digest, sizeBytes: UInt64(byteCount)) }
}

extension Entry {
  fileprivate init(_ stored: Records.Entry) {
    self.init(
      id: stored.id.description, position: stored.position.text,
      fields: [String: Value](stored.fields))
  }

  fileprivate func stored() throws(RecordsError) -> Records.Entry {
    guard let id = EntryID(id) else {
      throw RecordsError(.invalidArguments, "An entry's id has 32 hexadecimal digits.")
    }
    return Records.Entry(
      id: id, position: Position(stored: position), fields: try Fields(fields))
  }
}

extension [String: Value] {
  init(_ stored: Fields) {
    self.init(uniqueKeysWithValues: stored.all.map { ($0.key.text, Value($0.value)) })
  }

  /// Decodes fields.
  /// - Throws: `internalError` if they are damaged.
  package init(_ stored: EncodedRecord) throws(RecordsError) {
    self.init(try stored.fields())
  }
}

extension Fields {
  init(_ fields: [String: BrokerClient.Value]) throws(RecordsError) {
    self.init()
    for (key, value) in fields { self[try FieldKey(checking: key)] = try value.stored() }
  }
}

extension FieldKey {
  init(checking text: String) throws(RecordsError) {
    self = try FieldKey(text)
  }
}

extension RecordType {
  init(checking text: String) throws(RecordsError) {
    self = try RecordType(text)
  }
}

extension Date {
  /// Converts a time of the protocol.
  package init(_ time: Timestamp) {
    self.init(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
  }
}

extension Timestamp {
  init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
    self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }
}
