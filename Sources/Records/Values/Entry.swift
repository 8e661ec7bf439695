// Phones, e-mails and addresses are entries, not parallel lists of labels and values: each has an
// identity, so two devices that add a phone each end up with both, and a label changed here and a
// number changed there end up on the same phone.

/// One element of an entries value: an identity, a place in the order, and named scalars.
package struct Entry: Hashable, Sendable {
  /// Who the entry is; stays when its content changes.
  package let id: EntryID
  /// Where it stands; ties are ordered by `id`.
  package var position: Position
  /// What it says. Only scalars: entries are not nested.
  package var fields: Fields

  /// An entry that stands at `position` and says `fields`.
  package init(id: EntryID, position: Position, fields: Fields) {
    self.id = id
    self.position = position
    self.fields = fields
  }

  /// The order in which entries are shown, the same on every device.
  package static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    (left.position, left.id) < (right.position, right.id)
  }
}

/// A place between two others: digits of a fraction, so there is always room for one more.
package struct Position: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Base-62 digits after the point; never ends in `0`, never empty for a place of our making.
  package let text: String

  /// Takes a place that came from a record.
  package init(stored text: String) {
    self.text = text
  }

  package var description: String { text }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// A place after `left` and before `right`; `nil` on a side means the end of the list there.
  /// The result's length grows by one digit for about every six halvings of the same gap.
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

  /// `count` places after `left`, in order and of one length: what is added together need not get
  /// longer with each.
  package static func spaced(_ count: Int, after left: Position?) -> [Position] {
    var width = 1
    var room = 61
    while room < count {
      width += 1
      room *= 62
    }
    // Digits behind those of `left` are after it. The last digit is never “0”.
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

  // NB: past the end of `high` the two places are equal so far, which only a foreign record can
  // bring about; treating the end as the ceiling keeps the loop finite.
  private static func digit(of places: [Int]?, at index: Int) -> Int {
    guard let places, index < places.count else { return 62 }
    return places[index]
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
