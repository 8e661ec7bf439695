// Lists of thousands of items arrive in pages and are printed as one object. A page is joined while the next one is on
// its way, so that little remains to be done after the last one.

import AgentAPI
import Records

/// The pages of one list, joined into a single object. Other members are those of the first page, without its cursor. The
/// items are copied without parsing.
struct JoinedJSON {
  private let list: String
  /// The first page, as long as it is the only one.
  private var only: [UInt8]?
  private var members: [UInt8] = []
  private var items: [[UInt8]] = []
  /// Whether a page was added.
  private(set) var isEmpty = true

  /// Begins a list with the key `list`.
  init(list: String) {
    self.list = list
  }

  /// Adds the next page.
  mutating func add(_ page: [UInt8]) throws(ControlFailure) {
    guard !isEmpty else {
      (isEmpty, only) = (false, page)
      return
    }
    if let first = only {
      only = nil
      try join(first) { [list] key, value in
        guard key != list, key != ContactsView.nextKey else { return [] }
        return Array("\"\(key)\":".utf8) + value + [UInt8(ascii: ",")]
      }
    }
    try join(page) { _, _ in [] }
  }

  /// Appends the items of a page, and what `member` makes of its members.
  private mutating func join(
    _ page: [UInt8], member: (String, ArraySlice<UInt8>) -> [UInt8]
  ) throws(ControlFailure) {
    do {
      var scanner = JSONScanner(page)
      try scanner.object { scanner, key in
        let value = try scanner.raw()
        members += member(key, value)
        guard key == list else { return }
        let inside = value.dropFirst().dropLast()
        guard inside.contains(where: { $0 > 0x20 }) else { return }
        items.append((items.isEmpty ? [] : [UInt8(ascii: ",")]) + inside)
      }
    } catch {
      throw .error(.incompatibleVersion, "contactsctl cannot read the answer of contactsd.")
    }
  }

  /// The object, in parts that follow each other. A single page is printed as it is, and none is an empty list.
  var parts: [[UInt8]] {
    if let only { return [only] }
    if isEmpty { return [JSONText.list(list, of: [])] }
    return [Array("{".utf8) + members + Array("\"\(list)\":[".utf8)] + items + [Array("]}".utf8)]
  }
}
