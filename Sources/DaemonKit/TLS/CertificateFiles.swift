// A certificate that programs of others trust. Another program renews it every few weeks, so the files are read again
// when they have changed; connections that exist go on.

import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// A certificate and its key in files.
package final class CertificateFiles: ConnectionContext {
  private struct State {
    var context: NIOSSLContext
    var changed: [Date?]
    var looked: ContinuousClock.Instant
  }

  private let interval: Duration
  private let certificate: String
  private let key: String
  private let state: Mutex<State>

  /// Reads the files.
  /// - Parameters:
  ///   - certificate: The path of the certificate, followed by those that sign it, in PEM.
  ///   - key: The path of the key, in PEM.
  ///   - interval: How often the files are looked at.
  /// - Throws: `content` if a file cannot be used.
  package init(
    certificate: String, key: String, interval: Duration = .seconds(60)
  ) throws(DaemonError) {
    self.interval = interval
    self.certificate = certificate
    self.key = key
    let changed = [certificate, key].map(Self.changed)
    state = Mutex(
      State(
        context: try Self.context(certificate, key), changed: changed,
        looked: ContinuousClock.now))
  }

  /// Returns the configuration for a connection: TLS 1.2 or later, HTTP/1.1. If new files cannot be used, the former ones
  /// stay.
  package var current: NIOSSLContext {
    state.withLock { state in
      let now = ContinuousClock.now
      guard now - state.looked >= interval else { return state.context }
      state.looked = now
      let changed = [certificate, key].map(Self.changed)
      if changed != state.changed, let context = try? Self.context(certificate, key) {
        state.context = context
        state.changed = changed
      }
      return state.context
    }
  }

  private static func context(
    _ certificate: String, _ key: String
  ) throws(DaemonError) -> NIOSSLContext {
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      configuration.shutdownTimeout = .seconds(1)
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw DaemonError(
        .content,
        "The certificate “\(certificate)” with the key “\(key)” cannot be used: \(error).",
        hint: "Both files must be PEM, and readable for contactsd.")
    }
  }

  /// Returns when a file was changed; `nil` if there is none.
  private static func changed(_ path: String) -> Date? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.modificationDate] as? Date
  }
}
