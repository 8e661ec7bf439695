import Crypto
import NIOSSL
import Testing

@testable import DaemonKit

@Suite("R2 the certificate of a server")
struct SelfSignedCertificateTests {
  private let key = P256.Signing.PrivateKey()
  private let bytes: [UInt8]

  init() throws {
    var generator = SystemRandomNumberGenerator()
    bytes = try SelfSignedCertificate(name: "contacts", key: key, using: &generator).der.bytes
  }

  @Test func `TLS reads it, and its public key is the key's`() throws {
    let certificate = try NIOSSLCertificate(bytes: bytes, format: .der)
    #expect(try certificate.toDERBytes() == bytes)
    #expect(
      try certificate.extractPublicKey().toSPKIBytes() == Array(key.publicKey.derRepresentation))
  }

  @Test func `it is valid from 1970 to the end of 9999`() throws {
    let certificate = try NIOSSLCertificate(bytes: bytes, format: .der)
    #expect(certificate.notValidBefore == 0)
    #expect(certificate.notValidAfter == 253_402_300_799)
  }

  @Test func `the key's signature covers everything before it`() throws {
    let parts = elements(of: try #require(elements(of: bytes[...]).first).content)
    try #require(parts.count == 3)
    // A bit string begins with the number of its unused bits.
    let signature = try P256.Signing.ECDSASignature(derRepresentation: parts[2].content.dropFirst())
    #expect(key.publicKey.isValidSignature(signature, for: parts[0].bytes))
    #expect(!key.publicKey.isValidSignature(signature, for: parts[0].bytes.dropLast()))
    let fields = elements(of: parts[0].content)
    try #require(fields.count == 7)
    #expect(fields[2].bytes.elementsEqual(parts[1].bytes), "both name the same algorithm")
    #expect(fields[3].bytes.elementsEqual(fields[5].bytes), "the subject is the issuer")
  }

  @Test func `serial numbers are random, positive and at most 20 bytes long`() throws {
    struct Highest: RandomNumberGenerator {
      func next() -> UInt64 { .max }
    }
    func serialNumber(_ generator: some RandomNumberGenerator) throws -> [UInt8] {
      var generator = generator
      let certificate = try SelfSignedCertificate(name: "contacts", key: key, using: &generator)
      return try NIOSSLCertificate(bytes: certificate.der.bytes, format: .der).serialNumber
    }
    #expect(try serialNumber(Highest()) == [UInt8](repeating: .max, count: 16))
    let generator = SystemRandomNumberGenerator()
    #expect(try serialNumber(generator) != serialNumber(generator))
  }

  /// Returns the values that stand one after another in DER.
  private func elements(
    of bytes: ArraySlice<UInt8>
  ) -> [(bytes: ArraySlice<UInt8>, content: ArraySlice<UInt8>)] {
    var rest = bytes
    var elements: [(bytes: ArraySlice<UInt8>, content: ArraySlice<UInt8>)] = []
    while rest.count >= 2 {
      let lengthByte = rest[rest.startIndex + 1]
      let long = rest.dropFirst(2).prefix(lengthByte < 0x80 ? 0 : Int(lengthByte & 0x7F))
      let length = long.isEmpty ? Int(lengthByte) : long.reduce(0) { $0 << 8 | Int($1) }
      let element = rest.prefix(2 + long.count + length)
      elements.append((element, element.dropFirst(2 + long.count)))
      rest = rest[element.endIndex...]
    }
    return elements
  }
}
