// Computes the result of undoing one edit of a record, as a three-way merge: the state after the edit is the ancestor,
// the state before it is mine, and the state shown now is theirs. So the undo restores each field and entry that still
// has the value the edit gave it. Later changes stay, and the result lists them.

import Records

/// The result of undoing one edit.
package struct Undo: Hashable, Sendable {
  /// An edit to undo.
  package enum Edit: Hashable, Sendable {
    /// The edit created the record; `digest` is the digest of its fields then (`Undo.digest`).
    case made(digest: UInt128)
    /// The edit changed fields; both values contain only the changed fields. A key that one of them lacks was added or
    /// removed.
    case changed(before: Fields, after: Fields)
    /// The edit deleted the record, which had these fields.
    case deleted(Fields)
  }

  /// A value that the undo did not restore.
  package struct LeftAlone: Hashable, Sendable {
    /// The reason why a value was not restored.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
      /// The value was changed after the edit.
      case changedSince
      /// The record was deleted after the edit.
      case deletedSince
      /// A record of this name exists again.
      case thereAgain
      /// The content was erased with the trash.
      case erased
      /// The group does not exist any more.
      case groupGone
      /// The group contains other records now.
      case groupInUse
    }

    /// The field; `nil` for the whole record.
    package let field: FieldKey?
    /// The entry of the field, if only one entry was not restored.
    package let entry: EntryID?
    /// The reason.
    package let reason: Reason

    package init(field: FieldKey? = nil, entry: EntryID? = nil, reason: Reason) {
      self.field = field
      self.entry = entry
      self.reason = reason
    }
  }

  /// The fields to show; `nil` for no record.
  package private(set) var shown: Fields?
  /// The values that were not restored, in the order of fields and entries.
  package private(set) var leftAlone: [LeftAlone] = []

  /// Undoes `edit` in the fields that are shown now.
  package init(_ edit: Edit, shown: Fields?) {
    self.shown = shown
    switch (edit, shown) {
    case (.made, nil): break
    case (.made(let digest), let shown?): unmake(digest, shown)
    case (.changed, nil): leftAlone = [LeftAlone(reason: .deletedSince)]
    case (.changed(let before, let after), let shown?): setBack(before, after, shown)
    case (.deleted(let fields), nil): self.shown = fields
    case (.deleted, _?): leftAlone = [LeftAlone(reason: .thereAgain)]
    }
  }

  /// The digest by which the content of a created record is recognized.
  package static func digest(of record: EncodedRecord) -> UInt128 {
    var fingerprint = Fingerprint()
    fingerprint.add(record.bytes)
    return fingerprint.value
  }

  private mutating func unmake(_ digest: UInt128, _ fields: Fields) {
    if Self.digest(of: EncodedRecord(fields)) == digest {
      shown = nil
    } else {
      leftAlone = [LeftAlone(reason: .changedSince)]
    }
  }

  private mutating func setBack(_ before: Fields, _ after: Fields, _ fields: Fields) {
    var result = fields
    for key in Set(before.keys + after.keys).sorted() {
      let merge = Merge(
        ancestor: Fields(after[key].map { [(key, $0)] } ?? []),
        theirs: Fields(fields[key].map { [(key, $0)] } ?? []),
        mine: Fields(before[key].map { [(key, $0)] } ?? []))
      result[key] = merge.fields[key]
      noteWhatStays(key, wanted: before[key], edited: after[key], became: merge.fields[key])
    }
    shown = result
  }

  private mutating func noteWhatStays(
    _ key: FieldKey, wanted: Value?, edited: Value?, became: Value?
  ) {
    guard became != wanted else { return }
    guard let wanted = Self.entries(wanted), let edited = Self.entries(edited),
      let became = Self.entries(became)
    else {
      leftAlone.append(LeftAlone(field: key, reason: .changedSince))
      return
    }
    // The entries that the edit changed and that were not restored. Other entries do not matter, nor does the position
    // of an entry, which the user does not type.
    let stays = Set(wanted.keys).union(edited.keys).filter {
      wanted[$0] != edited[$0] && became[$0] != wanted[$0]
    }
    for entry in stays.sorted() {
      leftAlone.append(LeftAlone(field: key, entry: entry, reason: .changedSince))
    }
  }

  /// The fields of each entry; `nil` for a value without entries.
  private static func entries(_ value: Value?) -> [EntryID: Fields]? {
    switch value {
    case .entries(let entries):
      Dictionary(entries.map { ($0.id, $0.fields) }, uniquingKeysWith: { first, _ in first })
    case nil: [:]
    default: nil
    }
  }
}
