import Records
import SwiftProtobuf

extension DeviceConnection {
  static func list(_ wire: WireConnections) throws(RecordsError) -> [DeviceConnection] {
    var connections: [DeviceConnection] = []
    for connection in wire.connections {
      connections.append(
        DeviceConnection(
          try DeviceID(wire: connection.device),
          network: try checkedTitle(connection.network, of: "a network")))
    }
    return connections
  }

  var wire: WireDeviceConnection {
    .with {
      $0.device = device.wire
      $0.network = network
    }
  }
}
