/// The broker that is installed on a machine for all its users.
package enum SystemBroker {
  /// The directory of its socket. It stays while the broker or its socket is stopped.
  package static let directory = "/run/contacts-broker"
  /// The path of its socket, as in `contacts-broker.socket`.
  package static let socketPath = "\(directory)/broker.sock"
}
