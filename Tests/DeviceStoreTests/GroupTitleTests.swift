import AddressBook
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("I9 titles of groups")
struct GroupTitleTests {
  private let room = Room()
  private let group = ZoneID(name: ZoneName(5))
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    laptop = try TestDevice(room, "laptop")
    phone = try TestDevice(room, "phone")
  }

  private func titles() throws -> [[String]] {
    try [laptop, phone].map { try $0.reader.groups().map(\.title).filter { !$0.isEmpty } }
  }

  /// Makes an edit whose outcome does not arrive.
  private func editDeaf(_ edit: LocalEdit) throws {
    laptop.isDeaf = true
    try laptop.edit([edit])
    try laptop.goOffline()
  }

  @Test func `a group that is renamed before its author hears of its creation has the later title`()
    throws
  {
    try editDeaf(.createZone(group, title: "G2"))
    try phone.edit([.renameZone(group, title: "Rowing")])
    try laptop.goOnline()
    #expect(try titles() == [["Rowing"], ["Rowing"]])
  }

  @Test func `of two renames, the later one is shown, though the outcome of the earlier is late`()
    throws
  {
    try laptop.edit([.createZone(group, title: "G2")])
    try editDeaf(.renameZone(group, title: "Earlier"))
    try phone.edit([.renameZone(group, title: "Later")])
    try laptop.goOnline()
    #expect(try titles() == [["Later"], ["Later"]])
  }

  @Test func `a rename that had not reached the broker is the later one`() throws {
    try laptop.edit([.createZone(group, title: "G2")])
    try laptop.goOffline()
    try laptop.edit([.renameZone(group, title: "Mine")])
    try phone.edit([.renameZone(group, title: "Theirs")])
    try laptop.goOnline()
    #expect(try titles() == [["Mine"], ["Mine"]])
  }
}
