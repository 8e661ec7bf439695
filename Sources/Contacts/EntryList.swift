// The entries of one list while an edit is applied. Entries are found by id in constant time, so an edit of a
// thousand entries costs no more than a thousand edits of one.

import Records

/// A list of entries that an edit changes.
struct EntryList {
  /// The number of new entries from which they get evenly spaced positions. Fewer entries get the positions
  /// that separate edits would give, whose length grows with each entry.
  private static let spacedFrom = 64

  private var slots: [Entry?]
  private var indices: [EntryID: Int]
  private let insertCount: Int
  /// The position of the last entry; `nil` if unknown.
  private var last: Position??
  /// The remaining positions for new entries, in reverse; empty if each is derived from the one before.
  private var spaced: [Position] = []
  /// The ids of the entries.
  private(set) var ids: Set<EntryID>

  /// Starts with the entries before an edit that inserts at most `count`.
  init(_ entries: [Entry], inserting count: Int) {
    slots = entries
    indices = Dictionary(
      entries.enumerated().map { ($0.element.id, $0.offset) }
    ) { first, _ in first }
    ids = Set(indices.keys)
    insertCount = count
  }

  /// The current entries.
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

  /// Changes the fields of an entry; returns whether the entry exists.
  mutating func update(_ id: EntryID, _ body: (inout Fields) -> Void) -> Bool {
    guard let index = indices[id], var entry = slots[index] else { return false }
    body(&entry.fields)
    slots[index] = entry
    return true
  }

  /// Removes an entry; returns whether it existed.
  @discardableResult
  mutating func remove(_ id: EntryID) -> Bool {
    guard let index = indices.removeValue(forKey: id) else { return false }
    // An edit removes entries before it adds any.
    if slots[index]?.position == (last ?? nil) { last = nil }
    slots[index] = nil
    ids.remove(id)
    return true
  }
}

extension ContactList {
  /// The maximum number of entries of this list. Other properties of cards may be more, because a group's
  /// card lists its members there.
  var entriesMaximum: Int { self == .other ? Limits.valuesPerList : 1000 }
}
