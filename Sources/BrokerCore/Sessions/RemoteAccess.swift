/// How clients on other machines reach the broker.
package struct RemoteAccess: Hashable, Sendable {
  /// The SHA-256 of the broker's public key.
  package let keyDigest: [UInt8]
  /// The addresses that invitations name, each HOST:PORT.
  package let addresses: [String]
  /// The connections from one network that may be open and not signed in.
  package let strangersPerNetwork: Int

  package init(
    keyDigest: [UInt8], addresses: [String],
    strangersPerNetwork: Int = BrokerLimits.strangersPerNetwork
  ) {
    self.keyDigest = keyDigest
    self.addresses = addresses
    self.strangersPerNetwork = strangersPerNetwork
  }
}
