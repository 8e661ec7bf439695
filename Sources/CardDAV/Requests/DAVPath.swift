// The addresses of the resources. A card's name is the client's own choice, so it is kept as the client wrote it, and
// what could be mistaken for another address is refused.

import Records

/// What a request's path names.
package enum DAVPath: Hashable, Sendable {
  /// `/`, where some clients begin.
  case root
  /// `/.well-known/carddav`, which leads to the root (RFC 6764).
  case wellKnown
  /// `/principals/`
  case principals
  /// `/principals/me/`, the account.
  case principal
  /// `/books/`, the books of the account.
  case home
  /// `/books/GROUP/`, the book of a group.
  case book(String)
  /// `/books/GROUP/NAME`, a card.
  case card(book: String, name: String)
  /// `/birthdays/`
  case calendars
  /// `/birthdays/GROUP.ics`, the birthdays of a group.
  case birthdays(String)

  /// The maximum size of a name, in bytes of UTF-8.
  package static let nameBytesMaximum = 255
  /// The maximum size of a path as it is written.
  package static let pathBytesMaximum = 4096

  /// Reads the path of a request, without its query, or of a full address.
  /// - Throws: 400 if it is not a path of this server's form, 404 if it names nothing.
  package init(_ written: some StringProtocol) throws(DAVError) {
    let names = try Self.names(in: Self.path(of: written))
    switch (names.first, names.count) {
    case (nil, 0): self = .root
    case (".well-known", 2) where names[1] == "carddav": self = .wellKnown
    case ("principals", 1): self = .principals
    case ("principals", 2) where names[1] == "me": self = .principal
    case ("books", 1): self = .home
    case ("books", 2): self = .book(names[1])
    case ("books", 3): self = .card(book: names[1], name: names[2])
    case ("birthdays", 1): self = .calendars
    case ("birthdays", 2) where names[1].hasSuffix(Self.calendarSuffix):
      self = .birthdays(String(names[1].dropLast(Self.calendarSuffix.count)))
    default: throw DAVError(.notFound, "This address does not exist.")
    }
  }

  /// The path as responses write it.
  package var href: String {
    switch self {
    case .root: "/"
    case .wellKnown: "/.well-known/carddav"
    case .principals: "/principals/"
    case .principal: "/principals/me/"
    case .home: "/books/"
    case .book(let book): "/books/\(Self.escaped(book))/"
    case .card(let book, let name): "/books/\(Self.escaped(book))/\(Self.escaped(name))"
    case .calendars: "/birthdays/"
    case .birthdays(let book): "/birthdays/\(Self.escaped(book))\(Self.calendarSuffix)"
    }
  }

  /// Whether this contains other resources.
  package var isCollection: Bool {
    switch self {
    case .root, .principals, .principal, .home, .book, .calendars: true
    case .wellKnown, .card, .birthdays: false
    }
  }

  private static let calendarSuffix = ".ics"

  /// Returns the path of an address with a scheme and a host, or the path itself.
  private static func path(of written: some StringProtocol) -> Substring {
    let text = Substring(written)
    guard !text.hasPrefix("/"), let scheme = text.firstRange(of: "://") else { return text }
    let rest = text[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
  }

  private static func names(in path: Substring) throws(DAVError) -> [String] {
    guard path.hasPrefix("/"), path.utf8.count <= pathBytesMaximum else {
      throw DAVError(.badRequest, "The address is not valid.")
    }
    // A collection's address may lack the slash at its end.
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let named = parts.last == "" ? parts.dropLast() : parts[...]
    var names: [String] = []
    for part in named { names.append(try name(of: part)) }
    return names
  }

  private static func name(of part: Substring) throws(DAVError) -> String {
    guard let name = unescaped(part), !name.isEmpty, name != ".", name != "..",
      name.utf8.count <= nameBytesMaximum,
      !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F })
    else { throw DAVError(.badRequest, "The address has a name that is not valid.") }
    return name
  }

  private static func unescaped(_ part: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst(),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16),
        high != UInt8(ascii: "+"), high != UInt8(ascii: "-")
      else { return nil }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      if unreserved.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  /// What RFC 3986 calls unreserved, and the signs that UIDs often have.
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@:".utf8)
}
