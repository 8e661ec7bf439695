// How a device and a broker prove to each other that both know an invitation's code, and that no machine is
// between them (docs/decisions/0034). Standard parts only: HKDF (RFC 5869) and HMAC (RFC 2104), both
// with SHA-256.

import Crypto
import FoundationEssentials
import Records

/// What the broker knows of an invitation: an id, and a key for proofs. The code cannot be computed from them.
package struct InvitationKey: Hashable, Sendable {
  /// The length of a key in bytes.
  package static let byteCount = 32

  /// The id under which the broker finds the invitation.
  package let id: InvitationID
  /// The key of the proofs, `byteCount` bytes.
  package let bytes: [UInt8]

  /// Creates the key from what the broker has stored.
  package init(id: InvitationID, bytes: [UInt8]) {
    self.id = id
    self.bytes = bytes
  }

  /// Derives the id and the key from a code.
  package init(of code: InvitationCode) {
    let id = Self.derive(16, from: code, for: "contacts invitation id")
    self.id = InvitationID(id.reduce(0) { $0 << 8 | UInt128($1) })
    bytes = Self.derive(Self.byteCount, from: code, for: "contacts invitation key")
  }

  /// The side that proves.
  package enum Side: String, Sendable {
    case device, broker
  }

  /// Returns a side's proof: the HMAC of its name and the digests of both keys, 32 bytes.
  /// - Parameters:
  ///   - brokerKeyDigest: the SHA-256 of the broker's public key, as this side sees it in the connection.
  ///   - deviceKeyDigest: the SHA-256 of the device's key.
  package func proof(
    of side: Side, brokerKeyDigest: [UInt8], deviceKeyDigest: [UInt8]
  ) -> [UInt8] {
    let text = Array("contacts invitation \(side.rawValue)".utf8) + [0]
    let message = text + brokerKeyDigest + deviceKeyDigest
    return Array(
      HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
  }

  /// Whether `proof` is that side's proof. Takes the same time for every wrong one.
  package func isProof(
    _ proof: [UInt8], of side: Side, brokerKeyDigest: [UInt8], deviceKeyDigest: [UInt8]
  ) -> Bool {
    let expected = self.proof(
      of: side, brokerKeyDigest: brokerKeyDigest, deviceKeyDigest: deviceKeyDigest)
    guard proof.count == expected.count else { return false }
    return zip(proof, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func derive(
    _ byteCount: Int, from code: InvitationCode, for purpose: String
  ) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: code.bytes), info: Data(purpose.utf8),
      outputByteCount: byteCount
    ).withUnsafeBytes { Array($0) }
  }
}
