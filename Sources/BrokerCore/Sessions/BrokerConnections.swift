import Records

extension Broker {
  /// The connections of the account's devices in the container, by device. Of more than
  /// `BrokerLimits.devicesPerDirectory`, some are left out.
  func connections(of identity: SessionIdentity) -> [DeviceConnection] {
    // A program may have several connections from one place.
    var found: Set<DeviceConnection> = []
    for connection in accounts.connections(of: DirectoryKey(identity)) {
      guard found.count < BrokerLimits.devicesPerDirectory else { break }
      guard let session = sessions[connection], let device = session.identity?.device else {
        continue
      }
      let network = if case .remote(let network) = session.peer { "\(network)" } else { "" }
      found.insert(DeviceConnection(device, network: network))
    }
    return found.sorted { ($0.device, $0.network) < ($1.device, $1.network) }
  }
}
