import BrokerLinks
import Records

/// The address of a broker: one or more places where it can be reached, in the order in which to try them.
public struct BrokerAddress: Hashable, Sendable {
  /// The places, in the order in which to try them.
  package let endpoints: [BrokerEndpoint]

  /// The socket of the broker that is installed on this machine, `/run/contacts-broker/broker.sock`.
  public static let local = unixSocket(SystemBroker.socketPath)

  /// Returns the address of a broker that listens on the Unix socket at `path`.
  public static func unixSocket(_ path: String) -> BrokerAddress {
    BrokerAddress([.unixSocket(path: path)])
  }

  /// Reads an address: the path of a Unix socket, `ssh://[USER@]HOST[:PORT][/PATH]`, or `tls://HOST[:PORT]`.
  ///
  /// Commas separate several addresses of one broker, such as the one at home and the one for elsewhere. Over
  /// ssh, the program `contacts-broker connect` runs on the server as the user who signed in there, and the
  /// account is that user's. ssh must be able to sign in without a password or a question. Over TLS, the device
  /// must have joined the broker before; see `DeviceIdentity.join(_:address:)`.
  /// - Throws: `invalidArguments` if the text is not an address.
  public init(_ text: String) throws(RecordsError) {
    endpoints = try BrokerEndpoint.list(text)
  }

  init(_ endpoints: [BrokerEndpoint]) { self.endpoints = endpoints }

  /// Whether one of the places is another machine.
  var isRemote: Bool {
    endpoints.contains { if case .unixSocket = $0 { false } else { true } }
  }
}

extension BrokerAddress: CustomStringConvertible {
  /// The text that `init(_:)` reads.
  public var description: String { BrokerEndpoint.text(of: endpoints) }
}
