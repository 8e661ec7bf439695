// Phones, e-mail addresses and postal addresses are entries rather than parallel lists of labels
// and values. Each entry has an id. If two devices each add a phone, the merged record has both; a
// label edited on one device and a number edited on another are merged into the same entry.

/// An element of an entries value: an id, a position and scalar fields.
package struct Entry: Hashable, Sendable {
  /// The entry's id, which does not change when its content does.
  package let id: EntryID
  /// The entry's position; equal positions are ordered by `id`.
  package var position: Position
  /// The entry's content. Fields must be scalars: entries do not nest.
  package var fields: Fields

  package init(id: EntryID, position: Position, fields: Fields) {
    self.id = id
    self.position = position
    self.fields = fields
  }

  /// Returns whether `left` is displayed before `right`. The order is the same on every device.
  package static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    (left.position, left.id) < (right.position, right.id)
  }
}

/// A position in a list, as the digits of a fraction. A new position fits between any two.
package struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Base-62 digits after the point. A generated position is never empty and never ends in `0`.
  package let text: String

  /// Wraps a position that was read from a record, without validation.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  package static func == (left: Self, right: Self) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Returns a position after `left` and before `right`. A `left` of `nil` is the start of the list, a
  /// `right` of `nil` its end. About every sixth insertion into the same gap adds a digit to the text.
  package static func between(_ left: Position?, _ right: Position?) -> Position {
    let low = Array((left?.text ?? "").utf8).map(digitValue)
    let high = right.map { Array($0.text.utf8).map(digitValue) }
    var result: [Int] = []
    var isBelowHigh = high == nil
    var index = 0
    while true {
      let floor = index < low.count ? low[index] : 0
      let ceiling = isBelowHigh ? 62 : digit(of: high, at: index)
      if ceiling - floor >= 2 {
        result.append((floor + ceiling) / 2)
        return Position(stored: String(result.map { digits[$0] }))
      }
      result.append(floor)
      if ceiling > floor { isBelowHigh = true }
      index += 1
    }
  }

  /// Returns `count` positions after `left`, ascending and of equal length. Adding many entries at
  /// once therefore does not lengthen each position.
  package static func spaced(_ count: Int, after left: Position?) -> [Position] {
    var width = 1
    var room = 61
    while room < count {
      width += 1
      room *= 62
    }
    // Appended digits sort after `left` itself. The last digit is never “0”.
    return (0..<count).map { index in
      var rest = index
      var text: [Character] = ["V"]
      for _ in 0..<width {
        text.append(digits[rest % 62])
        rest /= 62
      }
      return Position(stored: (left?.text ?? "") + String(text.reversed()))
    }
  }

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  // NB: the end of `right` is reached only if all its digits equal those of `left`, as in an invalid
  // record. Treating the end as the highest digit keeps the loop finite.
  private static func digit(of digits: [Int]?, at index: Int) -> Int {
    guard let digits, index < digits.count else { return 62 }
    return digits[index]
  }

  private static func digitValue(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 36
    default: 0
    }
  }
}
