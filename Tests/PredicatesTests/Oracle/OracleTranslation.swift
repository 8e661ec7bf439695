// Converts the oracle's records and values to the product's.

import PredicateOracle
import Predicates
import Records

extension OracleRecord {
  /// The record's fields, encoded.
  var encoded: EncodedRecord {
    EncodedRecord(Fields(fields.map { (FieldKey(stored: $0.key), Value($0.value)) }))
  }

  /// The fields that the broker sets.
  var systemFields: SystemFields {
    SystemFields(
      name: RecordName(stored: name(of: "recordID")),
      created: stamp("creationDate", "creatorUserRecordID"),
      modified: stamp("modificationDate", "lastModifiedUserRecordID"))
  }

  private func name(of field: String) -> String {
    guard case .reference(let name)? = system[field] else { return "" }
    return name
  }

  private func stamp(_ date: String, _ user: String) -> Stamp {
    guard case .moment(let microseconds)? = system[date],
      let number = NastyValues.accounts.firstIndex(of: name(of: user))
    else { preconditionFailure("A record has all of its system fields.") }
    let account = AccountID(UInt128(number + 1))
    return Stamp(
      time: Timestamp(microseconds: microseconds),
      origin: Origin(account: account, device: DeviceID(1), request: RequestNumber(1)))
  }
}

extension Value {
  init(_ value: OracleValue) {
    switch value {
    case .text(let text): self = .string(text)
    case .whole(let number): self = .int64(number)
    case .real(let number): self = .double(number)
    case .boolean(let truth): self = .boolean(truth)
    case .moment(let microseconds): self = .date(Timestamp(microseconds: microseconds))
    case .bytes(let bytes): self = .bytes(bytes)
    case .place(let north, let east):
      self = .location(Location(latitudeDegrees: north, longitudeDegrees: east))
    case .reference(let name):
      self = .reference(Reference(record: RecordName(stored: name), action: .none))
    case .asset(let digest, let size): self = .asset(Asset(digest: digest, sizeBytes: size))
    case .list(let values): self = .list(values.map(Value.init))
    case .entries(let entries): self = .entries(zip(entries, 1...).map(Entry.init))
    case .foreign(let bytes): self = .unknown(bytes)
    }
  }
}

extension Entry {
  fileprivate init(_ parts: [String: OracleValue], _ number: Int) {
    self.init(
      id: EntryID(UInt128(number)), position: .between(nil, nil),
      fields: Fields(parts.map { (FieldKey(stored: $0.key), Value($0.value)) }))
  }
}
