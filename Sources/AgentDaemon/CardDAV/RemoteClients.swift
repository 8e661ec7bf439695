// Connections of other machines. Before the first right password they are strangers, who must not use up the connections
// of those who have one: their number and their time are limited, and the oldest ends when there are too many.

import DaemonKit
import NIOCore
import Records
import Synchronization

/// Limits the connections of other machines.
final class RemoteClients: Sendable {
  /// The maximum number of connections of a network that have given a password.
  static let knownPerNetworkMaximum = 64
  /// The maximum number of strangers of a network.
  static let strangersPerNetworkMaximum = 32
  /// The maximum number of all strangers: half of the listener's connections.
  static let strangersMaximum = CardDAVListener.connectionsMaximum / 2
  /// The time until the first request with a right password, with the TLS handshake.
  static let strangerTimeout = TimeAmount.seconds(10)

  private typealias ID = ObjectIdentifier

  private struct Client {
    let channel: any Channel
    let network: RemoteNetwork
    /// Whether it has given a right password.
    var isKnown = false
  }

  private struct Clients {
    var strangers = Strangers<ID>(
      perNetworkMaximum: strangersPerNetworkMaximum, maximum: strangersMaximum)
    var all: [ID: Client] = [:]
    /// The number of known clients.
    var known: [RemoteNetwork: Int] = [:]
  }

  private let clients = Mutex(Clients())

  /// Counts a connection until it is closed. It is a stranger's.
  /// - Returns: whether its network may have it. The oldest stranger may be closed for it.
  func admit(_ channel: any Channel) -> Bool {
    guard let network = channel.remoteAddress.flatMap(RemoteNetwork.init) else { return false }
    let id = ID(channel)
    let (isAdmitted, excess) = clients.withLock { clients -> (Bool, (any Channel)?) in
      guard clients.known[network, default: 0] < Self.knownPerNetworkMaximum else {
        return (false, nil)
      }
      clients.all[id] = Client(channel: channel, network: network)
      guard let oldest = clients.strangers.add(id, from: network) else { return (true, nil) }
      clients.strangers.remove(oldest)
      return (true, clients.all[oldest]?.channel)
    }
    guard isAdmitted else { return false }
    excess?.close(promise: nil)
    channel.closeFuture.whenComplete { [self] _ in leave(id) }
    channel.eventLoop.scheduleTask(in: Self.strangerTimeout) { [self] in closeStranger(id) }
    return true
  }

  /// Notes that a request with a right password came over a connection.
  func know(_ channel: any Channel) {
    clients.withLock { clients in
      guard clients.strangers.remove(ID(channel)), let client = clients.all[ID(channel)] else {
        return
      }
      clients.all[ID(channel)]?.isKnown = true
      clients.known[client.network, default: 0] += 1
    }
  }

  private func leave(_ id: ID) {
    clients.withLock { clients in
      clients.strangers.remove(id)
      guard let client = clients.all.removeValue(forKey: id), client.isKnown else { return }
      let count = clients.known[client.network, default: 0] - 1
      clients.known[client.network] = count > 0 ? count : nil
    }
  }

  private func closeStranger(_ id: ID) {
    let channel = clients.withLock { clients in
      clients.strangers.remove(id) ? clients.all[id]?.channel : nil
    }
    channel?.close(promise: nil)
  }
}
