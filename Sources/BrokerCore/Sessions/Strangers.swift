import OrderedCollections
import Records

/// The remote connections that have not signed in, oldest first.
///
/// Every machine that reaches the port can open them, so their number is limited, for each network and in total.
/// When there are too many, the oldest ends: a device signs in within a second, and those who stay silent
/// are the oldest.
struct Strangers: Sendable {
  private let perNetworkMaximum: Int
  private let maximum: Int
  private var networks: OrderedDictionary<ConnectionID, RemoteNetwork> = [:]
  private var byNetwork: [RemoteNetwork: OrderedSet<ConnectionID>] = [:]

  init(
    perNetworkMaximum: Int = BrokerLimits.strangersPerNetwork,
    maximum: Int = BrokerLimits.strangers
  ) {
    self.perNetworkMaximum = perNetworkMaximum
    self.maximum = maximum
  }

  /// Adds a connection.
  /// - Returns: the connection that has to end, if there are too many.
  mutating func add(_ connection: ConnectionID, from network: RemoteNetwork) -> ConnectionID? {
    networks[connection] = network
    byNetwork[network, default: []].append(connection)
    if let neighbors = byNetwork[network], neighbors.count > perNetworkMaximum {
      return neighbors.first
    }
    return networks.count > maximum ? networks.keys.first : nil
  }

  /// Removes a connection that has signed in or is closed.
  mutating func remove(_ connection: ConnectionID) {
    guard let network = networks.removeValue(forKey: connection) else { return }
    byNetwork[network]?.remove(connection)
    if byNetwork[network]?.isEmpty == true { byNetwork[network] = nil }
  }
}

extension RecordsError {
  static let tooManyStrangers = RecordsError(
    .requestRateLimited, "Too many connections wait to sign in.", retryAfterSeconds: 10,
    reason: "tooManyStrangers")
}
