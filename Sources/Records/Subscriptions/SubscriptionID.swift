/// The id of a subscription, unique in its account: 1 to 255 bytes without control characters, not
/// beginning with `_`. Programs choose ids, so saving the same subscription at each start replaces
/// it instead of adding another.
package struct SubscriptionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The id as text.
  package let text: String

  /// Validates `text` as an id.
  /// - Throws: `invalidArguments` if it is empty, too long, begins with `_` or contains control
  ///   characters.
  package init(_ text: String) throws(RecordsError) {
    let length = text.utf8.count
    guard length >= 1, length <= Limits.nameBytes, text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid(
        "A subscription's id must have 1 to \(Limits.nameBytes) bytes and must not begin with “_”.",
        field: "id")
    }
    guard !text.hasControlCharacters else {
      throw .invalid("A subscription's id must not contain control characters.", field: "id")
    }
    self.text = text
  }

  /// Wraps text that was validated before it was stored.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  // Ids are compared by bytes, as in the stores' indexes.

  package static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
