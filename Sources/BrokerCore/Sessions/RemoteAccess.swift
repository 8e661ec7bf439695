/// How clients on other machines reach the broker.
package struct RemoteAccess: Hashable, Sendable {
  /// The SHA-256 of the broker's public key.
  package let keyDigest: [UInt8]
  /// The addresses that invitations name, each HOST:PORT.
  package let addresses: [String]

  package init(keyDigest: [UInt8], addresses: [String]) {
    self.keyDigest = keyDigest
    self.addresses = addresses
  }
}
