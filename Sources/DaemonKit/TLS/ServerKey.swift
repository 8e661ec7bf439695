// The key by which clients on other machines know a daemon. Its certificate is made at each start and means
// nothing by itself: clients know the key's digest, so names and dates in certificates do not matter.

import Crypto
import Foundation
import Glibc
import NIOCore
import NIOSSL
import WholeFiles

/// A P-256 key in a file that only its owner can read.
package struct ServerKey: Sendable {
  private let key: P256.Signing.PrivateKey

  /// Reads the key at `path`, or generates one and stores it there.
  /// - Throws: `content` if the file is not a key; `cannotCreate` or `inputOutput` if it cannot be written or
  ///   read.
  package init(path: String) throws(DaemonError) {
    if access(path, F_OK) == 0 {
      key = try Self.read(path)
    } else {
      key = P256.Signing.PrivateKey()
      do {
        try WholeFile.put(Array("\(key.pemRepresentation)\n".utf8), at: path)
      } catch {
        throw DaemonError(.cannotCreate, "Cannot create the key “\(path)”: \(error).")
      }
    }
  }

  /// The SHA-256 of the public key, as a certificate has it (SubjectPublicKeyInfo).
  package var digest: [UInt8] {
    Array(SHA256.hash(data: key.publicKey.derRepresentation))
  }

  /// Makes a configuration for connections of clients: TLS 1.3, with a certificate of this key.
  /// - Parameter protocols: the application protocols (ALPN).
  package func context(protocols: [String]) throws(DaemonError) -> NIOSSLContext {
    var generator = SystemRandomNumberGenerator()
    let certificate = try SelfSignedCertificate(name: "contacts", key: key, using: &generator)
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: [
          .certificate(try NIOSSLCertificate(bytes: certificate.der.bytes, format: .der))
        ],
        privateKey: .privateKey(
          try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)))
      configuration.minimumTLSVersion = .tlsv13
      configuration.applicationProtocols = protocols
      // A peer that is gone must not delay the end of its connection.
      configuration.shutdownTimeout = .seconds(1)
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw DaemonError(.fault, "Cannot make a TLS configuration: \(error).")
    }
  }

  private static func read(_ path: String) throws(DaemonError) -> P256.Signing.PrivateKey {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw DaemonError(.inputOutput, "Cannot read the key “\(path)”: \(systemText(errno)).")
    }
    do {
      return try P256.Signing.PrivateKey(pemRepresentation: text)
    } catch {
      throw DaemonError(
        .content, "“\(path)” is not a P-256 key.",
        hint: "Restore it from a backup. Without it, devices on other machines must join again.")
    }
  }
}
