// Finds the pairs of contacts that are worth comparing, without comparing each contact with each other.
// Contacts are filed under a key for every fact that could identify a person, the keys are sorted, and only
// contacts with a common key form pairs. A key that many contacts have, such as a firm's switchboard number,
// is weak evidence, so each of its contacts is paired with its nearest neighbors only. The cost is therefore
// linear in the number of contacts.

import Records

/// A search for possible duplicates. It costs about 100 bytes a contact.
package struct DuplicateSearch: Sendable {
  /// The maximum number of contacts under one key that are all compared with each other.
  static let crowd = 20
  /// The number of neighbors each contact is compared with, under a key with more contacts.
  static let neighbours = 4

  private struct Entry: Sendable {
    let key: UInt64
    let name: UInt64
    let place: Int32
  }

  private var entries: [Entry] = []
  /// The number of contacts added.
  package private(set) var count = 0

  /// Creates an empty search.
  package init() {}

  /// Adds a contact. The first one has index 0.
  package mutating func add(_ contact: Contact) {
    let facts = ContactFacts(contact)
    let name = facts.nameWords.isEmpty ? 0 : Self.hash("name", facts.nameKey)
    for (kind, values) in facts.values {
      for value in values.keys {
        switch kind {
        case .uid, .email, .phone: enter(Self.hash(kind.rawValue, value), name)
        case .name: break
        case .birthday, .address, .url, .instantMessage, .nickname, .company:
          guard name != 0 else { continue }
          enter(Self.hash(kind.rawValue, value, String(name)), name)
        }
      }
    }
    count += 1
  }

  private mutating func enter(_ key: UInt64, _ name: UInt64) {
    entries.append(Entry(key: key, name: name, place: Int32(count)))
  }

  /// Returns the pairs worth comparing, by index, each once, the lower index first.
  package func pairs() -> [(Int, Int)] {
    let sorted = entries.sorted { ($0.key, $0.name, $0.place) < ($1.key, $1.name, $1.place) }
    var found: Set<UInt64> = []
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].key == sorted[start].key { end += 1 }
      Self.pair(sorted[start..<end], into: &found)
      start = end
    }
    return found.sorted().map { (Int($0 >> 32), Int($0 & 0xFFFF_FFFF)) }
  }

  private static func pair(_ group: ArraySlice<Entry>, into found: inout Set<UInt64>) {
    let reach = group.count > crowd ? neighbours : group.count
    for index in group.indices {
      for other in group.indices.dropFirst(index - group.startIndex + 1).prefix(reach) {
        let (low, high) = (group[index].place, group[other].place)
        guard low != high else { continue }
        found.insert(UInt64(min(low, high)) << 32 | UInt64(max(low, high)))
      }
    }
  }

  private static func hash(_ parts: String...) -> UInt64 {
    var fingerprint = Fingerprint()
    for part in parts { fingerprint.add(part) }
    return UInt64(truncatingIfNeeded: fingerprint.value)
  }
}
