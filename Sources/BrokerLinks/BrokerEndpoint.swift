import Records

/// Where a broker can be reached.
package enum BrokerEndpoint: Hashable, Sendable {
  /// The Unix socket of a broker on this machine.
  case unixSocket(path: String)
  /// A broker on another machine, through its ssh server.
  case ssh(SSHDestination)
  /// A broker on another machine that listens for devices.
  case tls(TLSDestination)

  /// The maximum number of endpoints of one broker.
  package static let endpointsMaximum = 8

  /// Reads `PATH`, `unix:PATH`, `ssh://[USER@]HOST[:PORT][/PATH]` or `tls://HOST[:PORT]`.
  /// - Throws: `invalidArguments` if `text` is none of them.
  package init(_ text: String) throws(RecordsError) {
    if text.hasPrefix("ssh://") {
      self = .ssh(try SSHDestination(url: text))
      return
    }
    if text.hasPrefix("tls://") {
      self = .tls(try TLSDestination(url: text))
      return
    }
    guard !text.contains("://") else {
      throw RecordsError(
        .invalidArguments, "“\(text)” is not the address of a broker.",
        hint: "Write the path of its Unix socket, ssh://USER@HOST, or tls://HOST.")
    }
    let path = text.hasPrefix("unix:") ? String(text.dropFirst("unix:".count)) : text
    guard !path.isEmpty else { throw .invalid("The path of the broker's socket is empty.") }
    self = .unixSocket(path: path)
  }

  /// Reads the endpoints of one broker, separated by commas, in the order in which to try them.
  /// - Throws: `invalidArguments` if one is not an endpoint, or if there are too many.
  package static func list(_ text: String) throws(RecordsError) -> [BrokerEndpoint] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= endpointsMaximum else {
      throw .invalid(
        "A broker has at most \(endpointsMaximum) addresses; there are \(parts.count).")
    }
    var endpoints: [BrokerEndpoint] = []
    for part in parts { endpoints.append(try BrokerEndpoint(part.trimmingBlanks())) }
    return endpoints
  }

  /// Returns the text of endpoints, as `list` reads it.
  package static func text(of endpoints: [BrokerEndpoint]) -> String {
    endpoints.map(\.description).joined(separator: ", ")
  }
}

extension BrokerEndpoint: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unixSocket(let path): path
    case .ssh(let destination): destination.description
    case .tls(let destination): destination.description
    }
  }
}
