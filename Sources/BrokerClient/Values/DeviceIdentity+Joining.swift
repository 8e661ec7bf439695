import BrokerLinks
import Crypto
import NIOPosix
import Records

extension DeviceIdentity {
  /// Joins an account of a broker on another machine by an invitation, which works once.
  ///
  /// Save the identity afterwards. From then on it trusts the broker with this key alone, at any address. If the
  /// library makes the program a new device, because another one uses a copy of its identity, the new device belongs
  /// to the same account, without another invitation.
  /// CloudKit has no equivalent; there the user signs in to the device.
  /// - Parameters:
  ///   - invitation: The link, `contacts-device:…`, or the code alone.
  ///   - address: Where the broker is, `HOST:PORT`, instead of what the link says.
  /// - Returns: The account's name, and the broker's address for `Container`.
  /// - Throws: `invalidArguments` if the invitation has a typing error, `permissionFailure` if it has expired or
  ///   was used, `unknownItem` if the broker does not know it, `networkUnavailable` if no broker answers.
  public mutating func join(
    _ invitation: String, address: String? = nil
  ) async throws(RecordsError) -> (account: String, broker: BrokerAddress) {
    let exchange = try InvitationExchange(
      invitation, address: address, deviceKeyDigest: Array(SHA256.hash(data: key)),
      loop: MultiThreadedEventLoopGroup.singleton.next())
    let answer = try await exchange.join()
    brokerKeyDigest = answer.brokerKeyDigest
    // The invitation admits the key. Another broker must not learn the key of the former device.
    former = nil
    return (answer.accountName, BrokerAddress(exchange.destinations.map { .tls($0) }))
  }
}
