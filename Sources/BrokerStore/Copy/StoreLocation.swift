/// Where a broker's store is, as an administrator writes it.
package enum StoreLocation: Hashable, Sendable {
  /// The database file at this path.
  case file(String)
  /// The PostgreSQL database at this address.
  case server(String)

  /// Reads the address of a PostgreSQL database, or the path of a state directory.
  package init(_ text: String) {
    self = Self.isAddress(text) ? .server(text) : .file("\(text)/broker.sqlite")
  }

  /// Whether `text` is the address of a PostgreSQL database.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// An address for sentences: without the password, and without parameters, which may have one too.
  package static func withoutPassword(_ address: String) -> String {
    let plain = address.prefix { $0 != "?" }
    let rest = plain.drop { $0 != "/" }
    guard let end = rest.lastIndex(of: "@"), let colon = rest[..<end].firstIndex(of: ":") else {
      return String(plain)
    }
    return String(plain[..<colon] + plain[end...])
  }
}
