import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("names and short ids of devices")
struct DevicesViewShortIDTests {
  private static let view = DevicesView(
    devices: [("aa11", "Phone"), ("bb22", "phone"), ("cc33", "Laptop")].map { id, name in
      DevicesView.Device(
        id: id, name: name, lastConnected: Timestamp(microseconds: 0), thisDevice: false,
        connected: nil, network: nil)
    })

  @Test(
    arguments: [
      ("Phone", ["aa11"]), ("phone", ["bb22"]), ("PHONE", ["aa11", "bb22"]), ("laptop", ["cc33"]),
      ("CC", ["cc33"]), ("", []), ("tablet", []),
    ])
  func `case matters only if it tells two devices apart`(typed: String, ids: [String]) {
    #expect(Self.view.devices(named: typed).map(\.id) == ids)
  }
}
