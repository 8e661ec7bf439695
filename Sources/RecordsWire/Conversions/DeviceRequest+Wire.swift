import Records
import SwiftProtobuf

extension DeviceRequest {
  init(_ wire: WireChangeDevice) throws(RecordsError) {
    let device = try DeviceID(wire: wire.device)
    switch wire.change {
    case .remove: self.init(.remove, device)
    case .name(let name):
      self.init(.rename(try validatedTitle(name, of: "a device's name")), device)
    case nil: throw .unknownKind(of: "change of a device")
    }
  }

  var wire: WireChangeDevice {
    .with {
      $0.device = device.wire
      switch change {
      case .remove: $0.remove = WireRemoveDevice()
      case .rename(let name): $0.name = name
      }
    }
  }
}
