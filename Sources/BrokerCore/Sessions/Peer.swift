import Records

/// The other end of a connection, as far as its transport identifies it.
package enum Peer: Hashable, Sendable {
  /// A process of this user of the machine, as the kernel reports it (unix(7), `SO_PEERCRED`). Its uid is a
  /// credential.
  case localUser(UInt32)
  /// A client on another machine, on a network. The network proves nothing: such a client signs in with a
  /// device's key, or with an invitation.
  case remote(RemoteNetwork)

  /// The uid of a local user; `nil` for other peers.
  package var uid: UInt32? {
    guard case .localUser(let uid) = self else { return nil }
    return uid
  }
}

extension Peer: CustomStringConvertible {
  package var description: String {
    switch self {
    case .localUser(let uid): "user \(uid)"
    case .remote(let network): "\(network)"
    }
  }
}
