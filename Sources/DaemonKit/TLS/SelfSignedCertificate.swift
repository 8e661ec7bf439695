import Crypto

/// An X.509 certificate (RFC 5280) of a P-256 key, signed by the same key.
struct SelfSignedCertificate: Sendable {
  private static let ecdsaWithSHA256 = DERValue.sequence(
    // 1.2.840.10045.4.3.2
    .objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))
  // 2.5.4.3
  private static let commonName = DERValue.objectIdentifier([0x55, 0x04, 0x03])

  /// The certificate in DER.
  let der: DERValue

  /// Signs a certificate of version 3 without extensions.
  /// - Parameters:
  ///   - name: The common name of the issuer and the subject.
  ///   - generator: The source of the serial number, which must differ between certificates of one issuer.
  /// - Throws: `fault` if the key cannot sign.
  init(
    name: String, key: P256.Signing.PrivateKey, using generator: inout some RandomNumberGenerator
  ) throws(DaemonError) {
    let name = DERValue.sequence(.set(.sequence(Self.commonName, .utf8String(name))))
    // From 1970. The end is RFC 5280's value for certificates that do not expire.
    let validity = DERValue.sequence(
      .utcTime("700101000000Z"), .generalizedTime("99991231235959Z"))
    let body = DERValue.sequence(
      // The encoding of version 3.
      .tagged(0, .integer(2)),
      .integer(.random(in: 1...(.max), using: &generator)),
      Self.ecdsaWithSHA256,
      name,
      validity,
      name,
      DERValue(encoded: key.publicKey.derRepresentation))
    do {
      let signature = try key.signature(for: body.bytes)
      der = .sequence(body, Self.ecdsaWithSHA256, .bitString(signature.derRepresentation))
    } catch {
      throw DaemonError(.fault, "Cannot sign a certificate: \(error).")
    }
  }
}
