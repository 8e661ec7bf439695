// What undoing one edit of a record comes to. The three states are those of a merge, seen from the
// other side: the edit's result is the ancestor, what it found is what we want back, what is shown
// now is theirs. So an edit is taken back field by field and entry by entry where its values still
// stand, and whatever somebody changed since stays and is named.

import Records

/// The undoing of one edit.
package struct Undo: Hashable, Sendable {
  /// What the edit did.
  package enum Edit: Hashable, Sendable {
    /// It made the record; `digest` is that of its fields then (`Undo.digest`).
    case made(digest: UInt128)
    /// It changed fields: those it touched, as they were and as it left them. A key that one side
    /// lacks was added or removed.
    case changed(before: Fields, after: Fields)
    /// It deleted the record, which had these fields.
    case deleted(Fields)
  }

  /// Something that was not set back.
  package struct LeftAlone: Hashable, Sendable {
    /// Why.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
      /// It was changed after the edit.
      case changedSince
      /// The record was deleted after the edit.
      case deletedSince
      /// There is such a record again.
      case thereAgain
      /// Its content was erased with the trash.
      case erased
      /// The group is gone.
      case groupGone
      /// The zone has other records by now.
      case groupInUse
    }

    /// The field; `nil` for the whole record.
    package let field: FieldKey?
    /// The entry of the field, where it is about one.
    package let entry: EntryID?
    /// Why.
    package let reason: Reason

    /// Something left alone.
    package init(field: FieldKey? = nil, entry: EntryID? = nil, reason: Reason) {
      self.field = field
      self.entry = entry
      self.reason = reason
    }
  }

  /// What is to be shown; `nil` for no record.
  package private(set) var shown: Fields?
  /// What stays although the edit had set it, in the order of fields and entries.
  package private(set) var leftAlone: [LeftAlone] = []

  /// Takes `edit` back from what is shown now.
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

  /// What tells the content of a made record from any other.
  package static func digest(of fields: Fields) -> UInt128 {
    var fingerprint = Fingerprint()
    fingerprint.add(EncodedRecord(fields).bytes)
    return fingerprint.value
  }

  private mutating func unmake(_ digest: UInt128, _ fields: Fields) {
    if Self.digest(of: fields) == digest {
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
    // What the edit had touched and is not as it was; the entries of others are none of our
    // business, and where an entry stands is nothing anybody typed.
    let stays = Set(wanted.keys).union(edited.keys).filter {
      wanted[$0] != edited[$0] && became[$0] != wanted[$0]
    }
    for entry in stays.sorted() {
      leftAlone.append(LeftAlone(field: key, entry: entry, reason: .changedSince))
    }
  }

  /// What each entry says; `nil` for a value that holds no entries.
  private static func entries(_ value: Value?) -> [EntryID: Fields]? {
    switch value {
    case .entries(let entries):
      Dictionary(entries.map { ($0.id, $0.fields) }, uniquingKeysWith: { first, _ in first })
    case nil: [:]
    default: nil
    }
  }
}
