import Records

/// An address on which a daemon listens for other machines: `HOST:PORT`, `[IPV6]:PORT` or `HOST`.
package struct ListenAddress: Hashable, Sendable {
  /// The host name or address. `::` and `0.0.0.0` stand for all addresses of the machine.
  package let host: String
  /// The port.
  package let port: Int

  /// The maximum number of addresses of one daemon.
  package static let addressesMaximum = 8

  /// Creates an address.
  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Parses addresses, separated by commas.
  /// - Throws: `configuration`, naming the setting `key`.
  package static func list(
    _ text: String, standardPort: Int, key: String
  ) throws(DaemonError) -> [ListenAddress] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= addressesMaximum else {
      throw DaemonError(
        .configuration,
        "The setting “\(key)” has \(parts.count) addresses; the limit is \(addressesMaximum).")
    }
    var addresses: [ListenAddress] = []
    for part in parts {
      let part = part.trimmingBlanks()
      do throws(HostAndPort.Malformed) {
        let address = try HostAndPort(part)
        addresses.append(
          ListenAddress(host: address.host, port: address.port ?? standardPort))
      } catch {
        throw DaemonError(
          .configuration,
          "The setting “\(key)” is invalid: “\(part)” is not an address: \(error.reason).",
          hint: "Write HOST:PORT, or [::]:\(standardPort) for all addresses of this machine.")
      }
    }
    return addresses
  }
}

extension ListenAddress: CustomStringConvertible {
  package var description: String { HostAndPort(host: host, port: port).description }
}
