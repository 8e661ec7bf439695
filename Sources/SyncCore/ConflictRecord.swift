// A conflict is a record like any other, so it travels to the account's other devices and is gone
// everywhere once it is resolved on one. Its name is a digest of what it is about, so two devices
// that find the same conflict make the same record.

import Records

/// An edit that lost against another device's, kept for its author.
package struct ConflictRecord: Hashable, Sendable {
  /// How the two edits met.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Both sides gave a field, or a scalar in an entry, different values; the broker's stayed.
    case values
    /// This side changed what the other deleted; the change stayed.
    case deletedThere
    /// This side deleted what the other changed; the change stayed.
    case deletedHere
  }

  /// Where one of the two edits was made.
  package enum Side: Hashable, Sendable {
    /// On the device that found the conflict.
    case finder
    /// On a device that the broker named.
    case device(AccountID, DeviceID)
    /// A record that was only found missing does not say, nor does a conflict of another client.
    case unknown

    /// The side whose edit made a state of the broker.
    package init(_ state: BrokerState) {
      guard let origin = state.modified?.origin else {
        self = .unknown
        return
      }
      self = .device(origin.account, origin.device)
    }
  }

  /// One of the two values that met.
  package enum Value: Hashable, Sendable {
    /// The one that did not stay.
    case losing
    /// The one that stayed.
    case winning

    /// The other one.
    package var other: Self { self == .losing ? .winning : .losing }
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
  package let losing: Records.Value?
  /// What stayed; `nil` for a removal.
  package let winning: Records.Value?
  /// Where the edit was made that lost.
  package let loser: Side
  /// Where the edit was made that stayed.
  package let winner: Side

  /// A conflict about a value.
  package init(
    record: RecordName, type: RecordType, loss: Merge.Loss, loser: Side = .finder,
    winner: Side = .unknown
  ) {
    self.record = record
    self.type = type
    kind = .values
    field = loss.field
    entry = loss.entry
    entryField = loss.entryField
    losing = loss.losing
    winning = loss.winning
    self.loser = loser
    self.winner = winner
  }

  /// A conflict about a whole record, between the device that finds it and another.
  package init(record: RecordName, type: RecordType, kind: Kind, other: Side = .unknown) {
    self.record = record
    self.type = type
    self.kind = kind
    field = nil
    entry = nil
    entryField = nil
    losing = nil
    winning = nil
    loser = kind == .deletedThere ? other : .finder
    winner = kind == .deletedThere ? .finder : other
  }

  /// The value that was set on a device. On any third device, and where the conflict does not say who
  /// made which edit, it is that of the device that found the conflict.
  package func value(ofDevice device: DeviceID?) -> Value {
    for case (.device(_, let id), let value) in [(winner, Value.winning), (loser, .losing)]
    where id == device {
      return value
    }
    return kind == .deletedThere ? .winning : .losing
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

  /// Its record's fields; `found` is the time of the device that found it, and `finder` that device.
  package func fields(found: Timestamp, finder: Side = .unknown) -> Fields {
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
    fields[Key.loser] = Self.value(loser == .finder ? finder : loser)
    fields[Key.winner] = Self.value(winner == .finder ? finder : winner)
    return fields
  }

  private static func value(_ side: Side) -> Records.Value? {
    guard case .device(let account, let device) = side else { return nil }
    return .bytes(account.bytes + device.bytes)
  }

  private static func side(_ value: Records.Value?) -> Side {
    guard case .bytes(let bytes) = value, bytes.count == 32,
      let account = AccountID(bytes: bytes.prefix(16)),
      let device = DeviceID(bytes: bytes.suffix(16))
    else { return .unknown }
    return .device(account, device)
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
    loser = Self.side(fields[Key.loser])
    winner = Self.side(fields[Key.winner])
  }

  /// When a conflict was found, as its record says.
  package static func found(_ fields: Fields) -> Timestamp? {
    guard case .date(let time) = fields[Key.found] else { return nil }
    return time
  }

  private static func key(_ value: Records.Value?) -> FieldKey? {
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
    static let loser: FieldKey = "loser"
    static let winner: FieldKey = "winner"
  }
}
