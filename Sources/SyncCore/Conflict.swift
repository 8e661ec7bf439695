// A conflict is a record like any other, so it travels to the account's other devices and is gone
// everywhere once it is resolved on one. Its name is a digest of what it is about, so two devices
// that find the same conflict make the same record.

import Records

/// An edit that lost against another device's, kept for its author.
package struct Conflict: Hashable, Sendable {
  /// How the two edits met.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides gave a field, or a scalar in an entry, different values; the broker's stayed.
    case values
    /// This side changed what the other deleted; the change stayed.
    case deletedThere
    /// This side deleted what the other changed; the change stayed.
    case deletedHere
  }

  /// The type of the records that are conflicts.
  package static let recordType = RecordType(stored: "Conflict")

  /// The record it is about, in the conflict's own zone.
  package let record: RecordName
  /// That record's type.
  package let type: RecordType
  /// How the edits met.
  package let kind: Kind
  /// The field it is about, unless it is about the whole record.
  package let field: FieldKey?
  /// The entry of the field.
  package let entry: EntryID?
  /// The scalar inside the entry.
  package let entryField: FieldKey?
  /// What lost; `nil` for a removal.
  package let losing: Value?
  /// What stayed; `nil` for a removal.
  package let winning: Value?

  /// A conflict about a value.
  package init(record: RecordName, type: RecordType, loss: Merge.Loss) {
    self.record = record
    self.type = type
    kind = .values
    field = loss.field
    entry = loss.entry
    entryField = loss.entryField
    losing = loss.losing
    winning = loss.winning
  }

  /// A conflict about a whole record.
  package init(record: RecordName, type: RecordType, kind: Kind) {
    self.record = record
    self.type = type
    self.kind = kind
    field = nil
    entry = nil
    entryField = nil
    losing = nil
    winning = nil
  }

  /// The name of its record.
  package var name: RecordName {
    var fingerprint = Fingerprint()
    fingerprint.add(record.text)
    fingerprint.add(kind.rawValue)
    fingerprint.add(field?.text ?? "")
    fingerprint.add(entry?.bytes ?? [])
    fingerprint.add(entryField?.text ?? "")
    if let losing {
      var writer = ByteWriter()
      writer.write(losing)
      fingerprint.add(writer.bytes)
    }
    return RecordName(
      stored: "conflict-\(Identifier<ConflictTag>(fingerprint.value))")
  }

  /// Its record's fields; `found` is the finding device's time.
  package func fields(found: Timestamp) -> Fields {
    var fields = Fields()
    fields[Key.record] = .string(record.text)
    fields[Key.recordType] = .string(type.text)
    fields[Key.kind] = .string(kind.rawValue)
    fields[Key.field] = field.map { .string($0.text) }
    fields[Key.entry] = entry.map { .bytes($0.bytes) }
    fields[Key.entryField] = entryField.map { .string($0.text) }
    fields[Key.losing] = losing
    fields[Key.winning] = winning
    fields[Key.found] = .date(found)
    return fields
  }

  /// Reads a conflict's record; `nil` when another program wrote something else there.
  package init?(_ fields: Fields) {
    guard case .string(let record) = fields[Key.record],
      case .string(let type) = fields[Key.recordType],
      case .string(let kindText) = fields[Key.kind], let kind = Kind(rawValue: kindText)
    else { return nil }
    self.record = RecordName(stored: record)
    self.type = RecordType(stored: type)
    self.kind = kind
    field = Self.key(fields[Key.field])
    entryField = Self.key(fields[Key.entryField])
    if case .bytes(let bytes) = fields[Key.entry] {
      entry = EntryID(bytes: bytes)
    } else {
      entry = nil
    }
    losing = fields[Key.losing]
    winning = fields[Key.winning]
  }

  /// When a conflict was found, as its record says.
  package static func found(_ fields: Fields) -> Timestamp? {
    guard case .date(let time) = fields[Key.found] else { return nil }
    return time
  }

  private static func key(_ value: Value?) -> FieldKey? {
    guard case .string(let text) = value else { return nil }
    return FieldKey(stored: text)
  }

  private enum ConflictTag {}

  private enum Key {
    static let record: FieldKey = "record"
    static let recordType: FieldKey = "recordType"
    static let kind: FieldKey = "kind"
    static let field: FieldKey = "field"
    static let entry: FieldKey = "entry"
    static let entryField: FieldKey = "entryField"
    static let losing: FieldKey = "losing"
    static let winning: FieldKey = "winning"
    static let found: FieldKey = "found"
  }
}
