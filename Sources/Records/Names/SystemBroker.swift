/// The broker that is installed on a machine for all its users.
package enum SystemBroker {
  /// The path of its socket, as in `contacts-broker.socket`.
  package static let socketPath = "/run/contacts-broker/broker.sock"
}
