import Records

/// An element of an entries field, such as one phone number: an id, a position and fields.
///
/// Each entry has an id, so that two devices can change different entries of a list without overwriting
/// each other's edits.
public struct Entry: Hashable, Sendable, Identifiable {
  /// The entry's id, 32 hexadecimal digits. It stays the same when the fields change.
  public let id: String
  /// The position in the list: the digits of a fraction in base 62. Entries are ordered by the bytes of their
  /// positions; entries with the same position are ordered by `id`.
  public var position: String
  /// The entry's fields. They cannot contain lists or entries.
  public var fields: [String: Value]

  /// Creates an entry with a given id and position, for example to replace an existing one.
  public init(id: String, position: String, fields: [String: Value]) {
    self.id = id
    self.position = position
    self.fields = fields
  }

  /// Creates a new entry that follows `last`, or the first entry of a list.
  public init(_ fields: [String: Value], after last: Entry? = nil) {
    var generator = SystemRandomNumberGenerator()
    id = EntryID.random(using: &generator).description
    position = Position.between(last.map { Position(stored: $0.position) }, nil).text
    self.fields = fields
  }

  /// Returns new entries in the order of `contents`.
  public static func list(_ contents: [[String: Value]]) -> [Entry] {
    contents.reduce(into: []) { $0.append(Entry($1, after: $0.last)) }
  }
}
