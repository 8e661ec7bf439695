import Contacts
import DeviceRoom
import Records
import TestTiers
import Testing

@testable import DeviceStore

@Suite("P2, I4 requests while some edits cannot be sent")
struct RequestBuilderTests {
  @Test(.onlyInCheck)
  func `thousands of edits of a group that is still being read do not delay other edits`()
    throws
  {
    let room = Room()
    let group = ZoneID(name: ZoneName(9))
    let ada = try TestDevice(room, "laptop")
    try ada.edit([.createZone(group, title: "Choir")])
    try ada.save("first", ["firstName": .string("First")], in: group)
    try ada.goOffline()
    let count = DeviceLimits.entriesPerPass + 100
    for start in stride(from: 0, to: count, by: 1000) {
      try ada.edit(
        (start..<min(start + 1000, count)).map {
          .save(TestDevice.contact("c\($0)", ["firstName": .string("C")], in: group))
        }, isAsked: false)
    }
    try ada.save("bob", ["firstName": .string("Bob")])
    room.broker.silentZones = [group.resolved(for: room.broker.account)]
    try ada.goOnline()
    #expect(try room.broker.fields("bob") != nil)
    #expect(try room.broker.fields("c0", in: group) == nil, "what the broker has is not known")
    try ada.save("rob", ["firstName": .string("Rob")])
    #expect(try room.broker.fields("rob") != nil)
    room.broker.silentZones = []
    try ada.goOffline()
    try ada.goOnline()
    #expect(try room.broker.fields("c\(count - 1)", in: group) != nil)
    #expect(try ada.reader.status().waitingEntries == 0)
  }
}
