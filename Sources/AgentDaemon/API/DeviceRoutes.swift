// The account's devices: list, rename and remove.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore

extension AgentRoutes {
  func addDeviceRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.devices.route) { _, _ in try await devices() }
    router.patch(AgentPath.device().route) { request, context in
      try await rename(try device(context), request)
    }
    router.delete(AgentPath.device().route) { _, context in
      try await remove(try device(context))
    }
  }

  /// How long the list of devices waits for the broker. Only the broker knows which devices are connected.
  private static let connectionSeconds = 2.0

  private func devices() async throws -> Response {
    let who = try identity()
    let devices = try reader.devices()
    let networks = await connectedNetworks()
    return try .json(
      DevicesView(
        devices: devices.map { device in
          let isThis = device.id == who.device
          let network = networks?[device.id]
          return DevicesView.Device(
            id: device.id.description, name: isThis ? who.deviceName : device.name,
            lastConnected: device.seen, thisDevice: isThis,
            connected: networks.map { $0[device.id] != nil },
            network: network?.isEmpty == true ? nil : network)
        }))
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
