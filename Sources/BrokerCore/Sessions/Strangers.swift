import Records

/// The remote connections that have not signed in, oldest first.
///
/// Every machine that reaches the port can open them, so their number is limited, for each network and in total.
/// When there are too many, the oldest ends: a device signs in within a second, and those who stay silent
/// are the oldest.
struct Strangers: Sendable {
  private let perNetworkMaximum: Int
  private let maximum: Int
  private var networks: [ConnectionID: RemoteNetwork] = [:]
  private var byNetwork: [RemoteNetwork: [ConnectionID]] = [:]
  /// All connections in the order in which they opened. Those that are gone stay until they come first.
  private var order: [ConnectionID] = []

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
    order.append(connection)
    dropEnded()
    if byNetwork[network, default: []].count > perNetworkMaximum {
      return byNetwork[network]?.first
    }
    return networks.count > maximum ? order.first : nil
  }

  /// Removes a connection that has signed in or is closed.
  mutating func remove(_ connection: ConnectionID) {
    guard let network = networks.removeValue(forKey: connection) else { return }
    byNetwork[network]?.removeAll { $0 == connection }
    if byNetwork[network]?.isEmpty == true { byNetwork[network] = nil }
  }

  /// Keeps the oldest connection that is still there first, and the array at most twice as long as needed.
  private mutating func dropEnded() {
    if order.count / 2 > maximum { order.removeAll { networks[$0] == nil } }
    while let first = order.first, networks[first] == nil { order.removeFirst() }
  }
}

extension RecordsError {
  static let tooManyStrangers = RecordsError(
    .requestRateLimited, "Too many connections wait to sign in.", retryAfterSeconds: 10,
    reason: "tooManyStrangers")
}
