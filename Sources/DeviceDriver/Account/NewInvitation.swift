import BrokerLinks
import DeviceStore
import Pairing
import Records
import SyncCore

/// An invitation for another device of the account.
package struct NewInvitation: Sendable {
  /// The code and the addresses of the broker.
  package let invitation: DeviceInvitation
  /// When it expires, by the broker's clock.
  package let expires: Timestamp
}

extension ReplicaDriver {
  /// Creates an invitation for another device of the account. The broker gets a key that is derived from its code.
  /// - Parameter seconds: How long it can be used.
  /// - Throws: `constraintViolation` if the broker accepts no devices on other machines; as `request`.
  package nonisolated func invite(seconds: Int64) async throws -> NewInvitation {
    var generator = SystemRandomNumberGenerator()
    let code = InvitationCode.random(using: &generator)
    let key = InvitationKey(of: code)
    let offer = InvitationOffer(id: key.id, key: key.bytes, seconds: seconds)
    guard case .invited(let listed, let expires) = try await request(.invite(offer)) else {
      throw RecordsError(
        .incompatibleVersion, "The answer of the broker cannot be read.",
        hint: "Use the same version on this device and on the broker.")
    }
    // An address that works for this device is more likely to work for the next one than one that only the
    // broker knows.
    let own = try reader.joinedBroker()?.addresses ?? []
    let addresses = (own + listed.filter { !own.contains($0) })
      .prefix(BrokerEndpoint.endpointsMaximum)
    return NewInvitation(
      invitation: DeviceInvitation(code: code, addresses: Array(addresses)),
      expires: expires)
  }
}
