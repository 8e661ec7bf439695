// The entries of one list while an edit is applied to it: found by id in constant time, so that an edit
// of a thousand entries takes no longer than a thousand edits of one.

import Records

/// A list of entries that an edit changes.
struct EntryList {
  /// From so many new entries on they get evenly spaced positions. Fewer get those that edits one by
  /// one would give, whose length grows with each.
  private static let spacedFrom = 64

  private var slots: [Entry?]
  private var indices: [EntryID: Int]
  private let insertCount: Int
  /// The position of the last entry; `nil` when it is not known.
  private var last: Position??
  /// The positions for new entries, the first one last; empty where each is made after the one before.
  private var spaced: [Position] = []
  /// The ids of the entries.
  private(set) var ids: Set<EntryID>

  /// The entries before an edit that inserts at most `count`.
  init(_ entries: [Entry], inserting count: Int) {
    slots = entries
    indices = Dictionary(
      entries.enumerated().map { ($0.element.id, $0.offset) }
    ) { first, _ in first }
    ids = Set(indices.keys)
    insertCount = count
  }

  /// The entries as they are now.
  var entries: [Entry] { slots.compactMap(\.self) }

  /// Adds an entry after all others.
  mutating func append(id: EntryID, _ fields: Fields) {
    let before = last ?? slots.lazy.compactMap { $0?.position }.max()
    if last == nil, insertCount >= Self.spacedFrom {
      spaced = Position.spaced(insertCount, after: before).reversed()
    }
    let position = spaced.popLast() ?? .between(before, nil)
    last = .some(position)
    indices[id] = slots.count
    ids.insert(id)
    slots.append(Entry(id: id, position: position, fields: fields))
  }

  /// Changes what an entry says; returns whether there is such an entry.
  mutating func update(_ id: EntryID, _ body: (inout Fields) -> Void) -> Bool {
    guard let index = indices[id], var entry = slots[index] else { return false }
    body(&entry.fields)
    slots[index] = entry
    return true
  }

  /// Removes an entry; returns whether there was such an entry.
  @discardableResult
  mutating func remove(_ id: EntryID) -> Bool {
    guard let index = indices.removeValue(forKey: id) else { return false }
    // What an edit removes comes before what it adds.
    if slots[index]?.position == (last ?? nil) { last = nil }
    slots[index] = nil
    ids.remove(id)
    return true
  }
}

extension ContactList {
  /// The entries that a contact may have in this list. Other properties of cards may be more: a card
  /// that is a group says its members in them.
  var entriesMaximum: Int { self == .other ? Limits.valuesPerList : 1000 }
}
