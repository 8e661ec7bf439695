// Short ids for people. An id of 16 or 32 characters fills a line and is not typed; its beginning is, and the
// agent accepts one that is unique.

import Records

/// The shortest unique beginnings of the ids of a list.
struct ShortIDs: Sendable {
  private var bytesNeeded: [String: Int] = [:]
  private let charactersOfUUID: Int

  /// Creates the beginnings for a list of these ids, which may contain an id several times. A UUID begins with
  /// its time, which others may have too, so its beginning has at least `charactersOfUUID` characters: 18
  /// include random bits.
  init(_ ids: some Sequence<String>, charactersOfUUID: Int = 18) {
    self.charactersOfUUID = charactersOfUUID
    // In a sorted list, the longest beginning that an id shares with any other is shared with a neighbor.
    let sorted = Set(ids).map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    var sharedBefore = 0
    for (index, id) in sorted.enumerated() {
      let next = index + 1 < sorted.count ? sorted[index + 1] : []
      let sharedAfter = zip(id, next).prefix { $0 == $1 }.count
      bytesNeeded[String(decoding: id, as: UTF8.self)] = max(sharedBefore, sharedAfter) + 1
      sharedBefore = sharedAfter
    }
  }

  /// Returns the shortest beginning of `id` that no other id of the list has, at least
  /// `Limits.idBeginningCharactersMinimum` characters. An id that is the beginning of another
  /// one, or that is not in the list, is returned whole.
  subscript(id: String) -> String {
    guard let needed = bytesNeeded[id] else { return id }
    let isUUID = id.utf8.count == 36 && id.utf8.count { $0 == UInt8(ascii: "-") } == 4
    let least = isUUID ? charactersOfUUID : Limits.idBeginningCharactersMinimum
    var beginning = ""
    for character in id {
      if beginning.utf8.count >= needed, beginning.count >= least { break }
      beginning.append(character)
    }
    return beginning
  }
}
