// Three-way merge of a record's fields: per field, and inside entries per entry and scalar. What
// one side left alone takes the other side's value, so nothing a side did not touch is ever lost
// (I13). Where both changed the same thing the preferred side's value stays and the other is
// returned as a loss. The result depends on the three states only, never on which came first.

import Records

/// A merge's outcome.
package struct Merge: Hashable, Sendable {
  /// The side whose value stays where both changed the same thing.
  package enum Side: Hashable, Sendable, CaseIterable {
    case theirs, mine
  }

  /// A value of mine (of theirs, when mine is preferred) that did not stay.
  package struct Loss: Hashable, Sendable {
    /// The field.
    package let field: FieldKey
    /// The entry, where the field holds entries.
    package let entry: EntryID?
    /// The scalar inside the entry.
    package let entryField: FieldKey?
    /// The value that did not stay; `nil` for a removal.
    package let losing: Value?
    /// The value that stayed; `nil` for a removal.
    package let winning: Value?

    /// Creates a loss.
    package init(
      field: FieldKey, entry: EntryID?, entryField: FieldKey?, losing: Value?, winning: Value?
    ) {
      self.field = field
      self.entry = entry
      self.entryField = entryField
      self.losing = losing
      self.winning = winning
    }
  }

  /// The merged fields.
  package private(set) var fields = Fields()
  /// What did not stay, in the order of fields and entries.
  package private(set) var losses: [Loss] = []
  private let preferred: Side

  /// Merges what `theirs` and `mine` made of `ancestor`.
  package init(
    ancestor: Fields, theirs: Fields, mine: Fields, preferring side: Side = .theirs
  ) {
    preferred = side
    for key in Set(ancestor.keys + theirs.keys + mine.keys).sorted() {
      fields[key] = merged(key, ancestor[key], theirs[key], mine[key])
    }
  }

  private mutating func merged(
    _ key: FieldKey, _ ancestor: Value?, _ theirs: Value?, _ mine: Value?
  ) -> Value? {
    if key == MoveTrail.field { return MoveTrail.merged(theirs, mine) }
    if let plain = Self.plain(ancestor, theirs, mine) { return plain.value }
    if let lists = Self.entryLists(ancestor, theirs, mine) {
      let entries = merged(key, lists)
      return entries.isEmpty && (theirs == nil || mine == nil) ? nil : .entries(entries)
    }
    return preferredValue(theirs, mine, field: key, entry: nil, entryField: nil)
  }

  /// The answer where at most one side changed the thing, or both in the same way.
  private static func plain<Thing: Hashable>(
    _ ancestor: Thing?, _ theirs: Thing?, _ mine: Thing?
  ) -> (value: Thing?, Void)? {
    if theirs == mine || ancestor == mine { return (theirs, ()) }
    return ancestor == theirs ? (mine, ()) : nil
  }

  private mutating func preferredValue(
    _ theirs: Value?, _ mine: Value?, field: FieldKey, entry: EntryID?, entryField: FieldKey?
  ) -> Value? {
    let (winning, losing) = preferred == .theirs ? (theirs, mine) : (mine, theirs)
    losses.append(
      Loss(field: field, entry: entry, entryField: entryField, losing: losing, winning: winning))
    return winning
  }

  // MARK: Entries

  private struct EntryLists {
    let ancestor: [EntryID: Entry]
    let theirs: [EntryID: Entry]
    let mine: [EntryID: Entry]
  }

  /// The three sides as entries by id; `nil` when one of them holds something else. An absent
  /// field is a list without entries.
  private static func entryLists(
    _ ancestor: Value?, _ theirs: Value?, _ mine: Value?
  ) -> EntryLists? {
    guard let ancestor = byID(ancestor), let theirs = byID(theirs), let mine = byID(mine) else {
      return nil
    }
    return EntryLists(ancestor: ancestor, theirs: theirs, mine: mine)
  }

  private static func byID(_ value: Value?) -> [EntryID: Entry]? {
    switch value {
    case nil: [:]
    case .entries(let entries): Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .reference, .asset, .list,
      .unknown:
      nil
    }
  }

  private mutating func merged(_ key: FieldKey, _ lists: EntryLists) -> [Entry] {
    let duplicates = Self.addedTwice(lists)
    let ids = Set(lists.ancestor.keys).union(lists.theirs.keys).union(lists.mine.keys)
    var result: [Entry] = []
    for id in ids.sorted() where !duplicates.contains(id) {
      let entry = merged(
        key, ancestor: lists.ancestor[id], theirs: lists.theirs[id], mine: lists.mine[id])
      if let entry { result.append(entry) }
    }
    return result.sorted(by: Entry.precedes)
  }

  /// My entries that say the same as one that the other side added: one of the two is enough, and
  /// the broker's has been seen by others already.
  private static func addedTwice(_ lists: EntryLists) -> Set<EntryID> {
    var theirs: [Fields: Int] = [:]
    for (id, entry) in lists.theirs where lists.ancestor[id] == nil && lists.mine[id] == nil {
      theirs[entry.fields, default: 0] += 1
    }
    var duplicates: Set<EntryID> = []
    for (id, entry) in lists.mine.sorted(by: { $0.key < $1.key })
    where lists.ancestor[id] == nil && lists.theirs[id] == nil {
      guard let count = theirs[entry.fields], count > 0 else { continue }
      theirs[entry.fields] = count - 1
      duplicates.insert(id)
    }
    return duplicates
  }

  private mutating func merged(
    _ key: FieldKey, ancestor: Entry?, theirs: Entry?, mine: Entry?
  ) -> Entry? {
    if let plain = Self.plain(ancestor, theirs, mine) { return plain.value }
    switch (theirs, mine) {
    case (let theirs?, let mine?):
      return merged(key, ancestor: ancestor, theirs: theirs, mine: mine)
    case (let kept?, nil), (nil, let kept?):
      // Removed on one side: stays only if the other changed what it says, not where it stands.
      return kept.fields == ancestor?.fields ? nil : kept
    case (nil, nil):
      return nil
    }
  }

  private mutating func merged(
    _ key: FieldKey, ancestor: Entry?, theirs: Entry, mine: Entry
  ) -> Entry {
    // Nothing that people typed is in a position, so where both moved the entry no loss is kept.
    let position = Self.plain(ancestor?.position, theirs.position, mine.position)?.value
    var result = Entry(
      id: theirs.id,
      position: position ?? (preferred == .theirs ? theirs.position : mine.position),
      fields: Fields())
    let before = ancestor?.fields ?? Fields()
    for scalar in Set(before.keys + theirs.fields.keys + mine.fields.keys).sorted() {
      let plain = Self.plain(before[scalar], theirs.fields[scalar], mine.fields[scalar])
      result.fields[scalar] =
        plain.map(\.value)
        ?? preferredValue(
          theirs.fields[scalar], mine.fields[scalar], field: key, entry: theirs.id,
          entryField: scalar)
    }
    return result
  }
}
