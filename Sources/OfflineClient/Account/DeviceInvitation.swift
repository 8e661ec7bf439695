import BrokerClient
import Foundation
import Pairing
import Records

/// An invitation for another device to join the account. It can be used once. The device that uses it can read and
/// change all records of the account, so keep the invitation secret.
///
/// CloudKit has no equivalent; there the user signs in to the device.
public struct DeviceInvitation: Hashable, Sendable {
  /// The link, `contacts-device:CODE@HOST:PORT`, for `OfflineContainer.join(_:address:existingRecords:)`, or for
  /// `DeviceIdentity.join(_:address:)` in `BrokerClient`.
  public let link: String
  /// The code alone, which a user can type. The other device then needs the address of the broker too.
  public let code: String
  /// When the invitation expires, by the broker's clock.
  public let expirationDate: Date

  init(_ invitation: Pairing.DeviceInvitation, expires: Timestamp) {
    link = invitation.link
    code = invitation.code.text
    expirationDate = Date(expires)
  }
}

extension DeviceInvitation: CustomStringConvertible {
  /// A constant instead of the link, because descriptions appear in logs.
  public var description: String { "a device invitation" }
}
