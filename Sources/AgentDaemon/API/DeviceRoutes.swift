// The account's devices, as its directory tells them.

import DeviceStore
import Hummingbird
import Records

extension AgentAPI {
  func addDeviceRoutes(to router: Router<BasicRequestContext>) {
    router.get("v1/devices") { _, _ in try devices() }
  }

  private func devices() throws -> Response {
    let who = try identity()
    let devices = try reader.devices()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("devices")
      json.list(devices) { json, device in
        let isThis = device.id == who.device
        json.object { json in
          json.key("id")
          json.value(device.id.description)
          json.key("name")
          json.value(isThis ? who.deviceName : device.name)
          json.key("lastSeen")
          json.value(device.seen)
          json.key("thisDevice")
          json.value(isThis)
        }
      }
    }
    return .json(json)
  }
}
