// Entries in cards have no ids. Those of two cards that stand for the same phone number are found by what they have in
// common.

import Contacts

/// Which entries of two lists correspond.
struct EntryPairs {
  private var partners: [Int: Int] = [:]
  private var owners: [Int: Int] = [:]

  /// Pairs each of `entries` with at most one of `others`: first those that are equal, then those with the same value,
  /// and then, if `byLabel`, those with the same label, in order.
  init(
    _ entries: [ContactDraft.DraftEntry], _ others: [ContactDraft.DraftEntry], _ list: ContactList,
    byLabel: Bool = true
  ) {
    pair(entries, others) { entry in list.properties.map { entry[$0] } }
    pair(entries, others) { entry in list.identity.map { entry[$0] } }
    if byLabel { pair(entries, others) { [$0[.label], $0[.name]] } }
    if byLabel, list != .other { pairRest(entries, others) }
  }

  /// The index among the others of the entry at `index`; `nil` if it has none.
  func partner(of index: Int) -> Int? { partners[index] }

  /// The index of the entry whose partner is the other one at `index`.
  func owner(of index: Int) -> Int? { owners[index] }

  private struct Likeness: Hashable {
    let texts: [String]
    let content: ContactMedia?
  }

  private mutating func pair(
    _ entries: [ContactDraft.DraftEntry], _ others: [ContactDraft.DraftEntry],
    by likeness: (ContactDraft.DraftEntry) -> [String]
  ) {
    func key(_ entry: ContactDraft.DraftEntry) -> Likeness {
      Likeness(texts: likeness(entry), content: entry.content)
    }
    // In reverse order, so that the first is paired first.
    var alike: [Likeness: [Int]] = [:]
    for index in others.indices.reversed() where owners[index] == nil {
      alike[key(others[index]), default: []].append(index)
    }
    for index in entries.indices where partners[index] == nil {
      guard let other = alike[key(entries[index])]?.popLast() else { continue }
      partners[index] = other
      owners[other] = index
    }
  }

  /// A single entry left on both sides at the same place is one whose label and value were both changed.
  private mutating func pairRest(
    _ entries: [ContactDraft.DraftEntry], _ others: [ContactDraft.DraftEntry]
  ) {
    let index = entries.indices.filter { partners[$0] == nil }
    let other = others.indices.filter { owners[$0] == nil }
    guard index.count == 1, other == index else { return }
    partners[index[0]] = other[0]
    owners[other[0]] = index[0]
  }
}

extension ContactList {
  /// The properties of an entry that make it this entry. A property that the address book does not know can be there
  /// several times, so its name alone is not enough.
  var identity: [EntryText] { self == .other ? [.name, .value] : substance }
}
