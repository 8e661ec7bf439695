// What becomes of drafts when the account leaves the device.

import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import AgentStore

@Suite("N4 drafts and accounts")
struct DraftProjectionTests {
  @Test func `sign-out removes all drafts, and the next list is another one`() throws {
    let device = try TestDevice(Room(), "laptop", isOnline: false)
    _ = try device.replica.edit(now: Room.now) { edit in
      let drafts = DraftTable(edit.transaction.db)
      try drafts.begin(incarnation: "first")
      try drafts.save(
        Draft(
          id: "a", kind: .contact, title: "Ada", address: "/new", sequence: 1, base: [:],
          texts: ["note": "Secret"], changed: Room.now))
    }
    _ = try device.replica.signOut(discarding: true, now: Room.now)
    let (drafts, incarnation) = try device.reader.read {
      (try DraftTable($0).all(), try DraftTable($0).incarnation())
    }
    #expect(drafts == [] && incarnation == nil)
  }
}
