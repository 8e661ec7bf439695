import BrokerStore

/// The address of a broker's store, as an administrator writes it.
package enum StoreAddress: Hashable, Sendable {
  /// The state directory at this path, which has a database file and asset files.
  case directory(String)
  /// The PostgreSQL database at this address.
  case server(String)

  /// Reads the address of a PostgreSQL database, or the path of a state directory.
  package init(_ text: String) {
    self = Self.isServer(text) ? .server(text) : .directory(text)
  }

  /// Whether `text` is the address of a PostgreSQL database.
  package static func isServer(_ text: String) -> Bool {
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
