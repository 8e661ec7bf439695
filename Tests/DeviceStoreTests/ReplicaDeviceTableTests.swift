import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("R4 devices of the account")
struct ReplicaDeviceTableTests {
  private let room = Room()
  private let phone = DeviceID(0xF0)

  private func page(_ device: DeviceID, _ name: String, isRemoved: Bool = false) -> BrokerMessage {
    let from = room.broker.directory
    return .directory(
      DirectoryPage(
        from: from, to: from.next, entries: [],
        devices: [
          DirectoryDevice(
            id: device, name: name, seen: Timestamp(microseconds: 1), isRemoved: isRemoved)
        ]))
  }

  private func wholePage(_ device: DeviceID, _ name: String, at revision: Revision) -> BrokerMessage
  {
    .directory(
      DirectoryPage(
        from: .zero, to: revision, entries: [],
        devices: [DirectoryDevice(id: device, name: name, seen: Timestamp(microseconds: 1))]))
  }

  @Test func `a removed device leaves the list and keeps its name`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.hear(page(phone, "phone"))
    #expect(try laptop.reader.devices().map(\.name) == ["phone"])
    let next = room.broker.directory.next.next
    try laptop.hear(
      .directory(
        DirectoryPage(
          from: room.broker.directory.next, to: next, entries: [],
          devices: [
            DirectoryDevice(
              id: phone, name: "phone", seen: Timestamp(microseconds: 1), isRemoved: true)
          ])))
    #expect(try laptop.reader.devices().isEmpty)
    #expect(try laptop.reader.devices(includingRemoved: true).map(\.name) == ["phone"])
    #expect(room.broker.deviceRequests.isEmpty)
  }

  @Test func `a removed device that a restored broker lists again is removed again`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.hear(page(phone, "phone", isRemoved: true))
    try laptop.hear(wholePage(phone, "phone", at: Revision(1 << 40)))
    #expect(room.broker.deviceRequests == [DeviceRequest(.remove, phone)])
    #expect(try laptop.reader.devices().isEmpty)
    // The answer says nothing of the directory: the request is repeated until the removal is listed.
    try laptop.goOffline()
    try laptop.goOnline()
    #expect(room.broker.deviceRequests.count == 2)
  }

  @Test func `a device takes the name that another one gave it, and keeps it`() throws {
    let laptop = try TestDevice(room, "laptop")
    let own = try #require(laptop.device)
    try laptop.hear(page(own, "Ada's laptop"))
    #expect(try laptop.reader.status().deviceName == "Ada's laptop")
    try laptop.restart()
    #expect(try laptop.reader.status().deviceName == "Ada's laptop")
  }
}
