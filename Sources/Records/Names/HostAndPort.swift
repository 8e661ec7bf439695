/// A host and, optionally, a port: `HOST`, `HOST:PORT` or `[IPV6]:PORT`.
package struct HostAndPort: Hashable, Sendable {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  package let host: String
  /// The port; `nil` if none was given.
  package let port: Int?

  /// What is wrong with a text, as the end of a sentence that begins with the text.
  package struct Malformed: Error {
    /// What is wrong.
    package let reason: String
  }

  /// Creates the value of its parts.
  package init(host: String, port: Int?) {
    self.host = host
    self.port = port
  }

  /// Parses a text.
  /// - Throws: `Malformed`.
  package init(_ text: some StringProtocol) throws(Malformed) {
    var host = String(text)
    var port: String?
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw Malformed(reason: "its host is malformed")
      }
      port = rest.isEmpty ? nil : String(rest.dropFirst())
    } else if let colon = text.firstIndex(of: ":") {
      host = String(text[..<colon])
      port = String(text[text.index(after: colon)...])
      guard port?.contains(":") == false else {
        throw Malformed(reason: "an IPv6 address needs brackets, as in [::1]")
      }
    }
    self.host = host
    self.port = try port.map { text throws(Malformed) in try Self.number(text) }
    guard !host.isEmpty else { throw Malformed(reason: "it has no host") }
    // NB: what begins with a hyphen would be taken for an option by a program that gets the host.
    guard !host.hasPrefix("-"), host.unicodeScalars.allSatisfy(Self.isOfHost) else {
      throw Malformed(reason: "its host has characters that no host name has")
    }
  }

  private static func number(_ text: String) throws(Malformed) -> Int {
    // NB: `Int` also accepts a sign.
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDigits, let number = Int(text), (1...65535).contains(number) else {
      throw Malformed(reason: "its port must be a number from 1 to 65535")
    }
    return number
  }

  private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || ".-_:%".unicodeScalars.contains(scalar)
  }
}

extension HostAndPort: CustomStringConvertible {
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(name):\($0)" } ?? name
  }
}
