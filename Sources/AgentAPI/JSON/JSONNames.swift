// A reader of objects compares each key with the few names that it looks for. A list of a thousand contacts has fifteen
// thousand keys, and a `String` for each takes longer than the values that are read.

/// The names of the members of an object that a reader looks for.
package struct JSONNames<Name: CodingKey> {
  /// The names, by their number of bytes in UTF-8.
  private let byLength: [[(bytes: [UInt8], name: Name)]]

  /// Looks for these names and for no others.
  package init(_ names: some Collection<Name>) {
    let named = names.map { (bytes: Array($0.stringValue.utf8), name: $0) }
    let longest = named.map(\.bytes.count).max() ?? 0
    byLength = (0...longest).map { length in named.filter { $0.bytes.count == length } }
  }

  /// Returns the name that has these bytes, if it is one of those looked for.
  func name(_ bytes: ArraySlice<UInt8>) -> Name? {
    guard bytes.count < byLength.count else { return nil }
    return byLength[bytes.count].first { bytes.elementsEqual($0.bytes) }?.name
  }
}
