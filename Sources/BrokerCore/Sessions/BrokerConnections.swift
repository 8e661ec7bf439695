import Records

extension Broker {
  /// The connections of the account's devices in the container, by device, at most
  /// `BrokerLimits.devicesPerDirectory`.
  func connections(of identity: SessionIdentity) -> [DeviceConnection] {
    let connections = accounts.connections(of: DirectoryKey(identity)).compactMap {
      connection -> DeviceConnection? in
      guard let session = sessions[connection], let device = session.identity?.device else {
        return nil
      }
      guard case .remote(let network) = session.peer else {
        return DeviceConnection(device, network: "")
      }
      return DeviceConnection(device, network: "\(network)")
    }
    // A program may have several connections from one place.
    return Array(
      Set(connections).sorted { ($0.device, $0.network) < ($1.device, $1.network) }
        .prefix(BrokerLimits.devicesPerDirectory))
  }
}
