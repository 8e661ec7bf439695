// The account's devices: list, rename and remove.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore

/// The body of `PATCH /v1/devices/{id}`.
private struct DeviceForm: Decodable {
  let name: String
}

extension AgentAPI {
  func addDeviceRoutes(to router: Router<BasicRequestContext>) {
    let root = router.group("v1/devices")
    root.get { _, _ in try await devices() }
    root.patch(":id") { request, context in try await rename(try device(context), request) }
    root.delete(":id") { _, context in try await remove(try device(context)) }
  }

  /// How long the list of devices waits for the broker. Only the broker knows which devices are connected.
  private static let connectionSeconds = 2.0

  private func devices() async throws -> Response {
    let who = try identity()
    let devices = try reader.devices()
    let networks = await connectedNetworks()
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
          json.key("connected")
          if let networks { json.value(networks[device.id] != nil) } else { json.null() }
          json.key("network")
          let network: String? = networks?[device.id]
          json.value(network?.isEmpty == true ? nil : network)
        }
      }
    }
    return .json(json)
  }

  /// Returns the networks of the connected devices, empty for the broker's machine; `nil` without the broker.
  private func connectedNetworks() async -> [DeviceID: String]? {
    let answer = try? await driver.request(.connections, waitSeconds: Self.connectionSeconds)
    guard case .connections(let connections) = answer else { return nil }
    return Dictionary(connections.map { ($0.device, $0.network) }) { first, _ in first }
  }

  /// Renames a device. This device changes its name at once, also without the broker; for another device the
  /// broker decides.
  private func rename(_ device: DeviceID, _ request: Request) async throws -> Response {
    let name = try Self.checkedName(try await body(request, as: DeviceForm.self).name)
    guard !name.isEmpty else {
      throw RecordsError.invalid("The name cannot be empty.", field: "name")
    }
    if device == (try identity().device) {
      try await driver.rename(device: name)
    } else {
      _ = try await driver.request(.device(DeviceRequest(.rename(name), device)))
    }
    return Response(status: .noContent)
  }

  private func remove(_ device: DeviceID) async throws -> Response {
    guard device != (try identity().device) else {
      throw RecordsError.invalid(
        "This is the device that you use. To remove the account from it: contactsctl signout",
        field: "id")
    }
    _ = try await driver.request(.device(DeviceRequest(.remove, device)))
    return Response(status: .noContent)
  }

  private func device(_ context: BasicRequestContext) throws -> DeviceID {
    let text = try context.parameters.require("id")
    guard let id = DeviceID(text) else {
      throw RecordsError(
        .unknownItem, "The account has no device “\(text)”.", hint: "See: contactsctl devices",
        field: "id")
    }
    return id
  }
}
