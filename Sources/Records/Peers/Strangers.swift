/// The connections of other machines that have not proved yet whose they are, oldest first.
///
/// Every machine that reaches the port can open them, so their number is limited, for each network and in total.
/// When there are too many, the oldest ends: a device signs in within a second, and those who stay silent
/// are the oldest.
package struct Strangers<ConnectionID: Hashable & Sendable>: Sendable {
  private let perNetworkMaximum: Int
  private let maximum: Int
  private var connections: [(id: ConnectionID, network: RemoteNetwork)] = []
  private var counts: [RemoteNetwork: Int] = [:]

  /// - Parameters:
  ///   - perNetworkMaximum: The maximum number of connections of a network.
  ///   - maximum: The maximum number of all. Adding and removing take time in proportion to it.
  package init(perNetworkMaximum: Int, maximum: Int) {
    self.perNetworkMaximum = perNetworkMaximum
    self.maximum = maximum
  }

  /// Adds a connection.
  /// - Returns: the connection that has to end, if there are too many.
  package mutating func add(_ id: ConnectionID, from network: RemoteNetwork) -> ConnectionID? {
    connections.append((id, network))
    counts[network, default: 0] += 1
    if counts[network, default: 0] > perNetworkMaximum {
      return connections.first { $0.network == network }?.id
    }
    return connections.count > maximum ? connections.first?.id : nil
  }

  /// Removes a connection that has signed in or is closed.
  /// - Returns: whether it was among them.
  @discardableResult
  package mutating func remove(_ id: ConnectionID) -> Bool {
    guard let index = connections.firstIndex(where: { $0.id == id }) else { return false }
    let network = connections.remove(at: index).network
    counts[network, default: 0] -= 1
    if counts[network] == 0 { counts[network] = nil }
    return true
  }
}
