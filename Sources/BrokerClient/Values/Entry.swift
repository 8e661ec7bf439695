// Phones, e-mails, addresses: elements of a list with an identity of their own, so that two devices
// that change different ones do not undo each other's work.

import Records

/// One element of an entries value: an identity, a place in the order, and named scalars.
public struct Entry: Hashable, Sendable, Identifiable {
  /// Who the entry is, 32 hexadecimal digits; it stays when the content changes.
  public let id: String
  /// Where it stands, as digits after a point; ties are ordered by `id`.
  public var position: String
  /// What it says. Neither lists nor entries stand in here.
  public var fields: [String: Value]

  /// An entry as it came from a record, or one that takes the place of another.
  public init(id: String, position: String, fields: [String: Value]) {
    self.id = id
    self.position = position
    self.fields = fields
  }

  /// A new entry that stands behind `last`, or first where there is none.
  public init(_ fields: [String: Value], after last: Entry? = nil) {
    var generator = SystemRandomNumberGenerator()
    id = EntryID.random(using: &generator).description
    position = Position.between(last.map { Position(stored: $0.position) }, nil).text
    self.fields = fields
  }

  /// New entries in this order.
  public static func list(_ contents: [[String: Value]]) -> [Entry] {
    contents.reduce(into: []) { $0.append(Entry($1, after: $0.last)) }
  }
}
