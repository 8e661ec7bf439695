// Subscriptions have names, because programs save the same one at every start and mean one.

/// The name of a subscription among its owner's: 1 to 255 bytes, none of its characters
/// a control character.
package struct SubscriptionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name as text.
  package let text: String

  /// Takes `text` as a name.
  /// - Throws: `invalidArguments` where it is empty, too long, begins with `_` or holds control
  ///   characters.
  package init(_ text: String) throws(RecordsError) {
    let length = text.utf8.count
    guard length >= 1, length <= Limits.nameBytes, text.utf8.first != UInt8(ascii: "_") else {
      throw .invalid(
        "A subscription's id has 1 to \(Limits.nameBytes) bytes and does not begin with “_”.",
        field: "id")
    }
    guard !text.hasControlCharacters else {
      throw .invalid("A subscription's id holds no control characters.", field: "id")
    }
    self.text = text
  }

  /// Takes text that was checked before, when it was stored.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
