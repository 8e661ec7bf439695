import Records

/// A broker that listens for devices on other machines: `tls://HOST[:PORT]`.
package struct TLSDestination: Hashable, Sendable {
  /// The server's name or address.
  package let host: String
  /// The port.
  package let port: Int

  /// The port of brokers.
  package static let standardPort = 7433
  private static let prefix = "tls://"

  /// Reads the URL.
  /// - Throws: `invalidArguments`, naming the part that is wrong.
  package init(url: String) throws(RecordsError) {
    let rest = url.dropFirst(Self.prefix.count)
    try self.init(address: rest.hasSuffix("/") ? rest.dropLast() : rest, in: url)
  }

  /// Reads `HOST[:PORT]`.
  /// - Throws: `invalidArguments`, naming the part that is wrong.
  package init(address: String) throws(RecordsError) {
    try self.init(address: address[...], in: address)
  }

  private init(address: Substring, in text: String) throws(RecordsError) {
    do throws(HostAndPort.Malformed) {
      let address = try HostAndPort(address)
      host = address.host
      port = address.port ?? Self.standardPort
    } catch {
      throw RecordsError(
        .invalidArguments, "“\(text)” is not the address of a broker: \(error.reason).",
        hint: "Write tls://HOST, or tls://HOST:PORT.")
    }
  }
}

extension TLSDestination: CustomStringConvertible {
  package var description: String {
    let port = port == Self.standardPort ? nil : port
    return "\(Self.prefix)\(HostAndPort(host: host, port: port))"
  }
}
