// Where CardDAV is served, and to whom.

import DaemonKit
import Records

/// The settings of CardDAV.
struct CardDAVSettings: Hashable, Sendable {
  /// An address at which to listen.
  enum Address: Hashable, Sendable {
    /// A port of this machine, for the user of the agent.
    case loopback(port: UInt16)
    /// An address for other machines, with TLS.
    case tls(ListenAddress)
    /// A Unix socket, for a reverse proxy. Its file's group and mode say who may connect.
    case unixSocket(path: String)
  }

  /// The keys of the settings.
  static let keys = ["dav", "certificate", "key"]
  private static let loopbackHosts: Set<String> = ["127.0.0.1", "localhost"]

  /// The addresses; empty for a port of this machine that is drawn once.
  private(set) var addresses: [Address] = []
  /// The path of the certificate with those that sign it, in PEM.
  private(set) var certificate: String?
  /// The path of its key.
  private(set) var key: String?

  /// Settings that are not given.
  init() {}

  /// Reads the settings.
  /// - Throws: `configuration` with the invalid setting.
  init(_ settings: Settings) throws(DaemonError) {
    certificate = settings.text("certificate")
    key = settings.text("key")
    let parts = settings.text("dav")?.split(separator: ",", omittingEmptySubsequences: false)
    for part in parts ?? [] { addresses.append(try Self.address(part.trimmingBlanks())) }
    guard (certificate == nil) == (key == nil) else {
      throw DaemonError(
        .configuration, "The settings “certificate” and “key” belong together.",
        hint: "Give the paths of both files.")
    }
    let isRemote = addresses.contains { if case .tls = $0 { true } else { false } }
    guard !isRemote || certificate != nil else {
      throw DaemonError(
        .configuration,
        "The setting “dav” names an address for other machines, which needs TLS.",
        hint: "Set “certificate” and “key”, or use the path of a socket with a reverse proxy.")
    }
  }

  private static func address(_ text: String) throws(DaemonError) -> Address {
    guard !text.hasPrefix("/") else { return .unixSocket(path: text) }
    let listed = try ListenAddress.list(
      text, standardPort: Int(CardDAVSockets.standardPort), key: "dav")
    guard let address = listed.first else {
      throw DaemonError(.configuration, "The setting “dav” is empty.")
    }
    guard loopbackHosts.contains(address.host), let port = UInt16(exactly: address.port) else {
      return .tls(address)
    }
    return .loopback(port: port)
  }
}
