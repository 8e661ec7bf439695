// Frames that come with one read of the socket are one transaction, whatever happens to one of them.

import DeviceRoom
import Records
import RecordsWire
import Testing

@testable import DeviceStore

@Suite("B3, I7 messages that came together")
struct ReceivedTogetherTests {
  private func changes(_ name: String, to tag: Int64, byteCount: Int = 0) -> BrokerFrame {
    FollowingDevice.frame([
      FollowingDevice.change(
        name, at: tag,
        ["firstName": .string(name), "note": .string(String(repeating: "n", count: byteCount))])
    ])
  }

  @Test func `they share a transaction and are all there`() throws {
    let device = try FollowingDevice.make()
    let frames = [changes("ada", to: 1), changes("bob", to: 2), changes("eve", to: 3)]
    let commits = try device.count(of: "COMMIT") {
      _ = try device.replica.received(
        [BrokerFrame(replyTo: 0, message: .pong)] + frames, now: Room.now)
    }
    #expect(commits == 1)
    for name in ["ada", "bob", "eve"] { #expect(try device.fields(name) != nil) }
  }

  @Test func `a record that the tables refuse is passed over, alone`() throws {
    let device = try FollowingDevice.make()
    try device.refuse(insertsInto: "record", where: "NEW.name = 'bob'")
    let frames = [changes("ada", to: 1), changes("bob", to: 2), changes("eve", to: 3)]
    _ = try device.replica.received(frames, now: Room.now)
    #expect(try device.fields("bob") == nil)
    for name in ["ada", "eve"] { #expect(try device.fields(name) != nil) }
  }

  @Test func `where the disk is full, it is as if none had come, and they are taken later`()
    throws
  {
    let device = try FollowingDevice.make()
    let frames = [changes("ada", to: 1), changes("bob", to: 2, byteCount: 500_000)]
    try device.fill(true)
    for _ in 0..<2 {
      #expect(throws: StoreError.self) {
        _ = try device.replica.received(frames, now: Room.now)
      }
      #expect(try device.fields("ada") == nil)
    }
    try device.fill(false)
    _ = try device.replica.received(frames, now: Room.now)
    for name in ["ada", "bob"] { #expect(try device.fields(name) != nil) }
  }

  @Test func `a device that is revoked among them is emptied`() throws {
    let device = try FollowingDevice.make()
    let error = RecordsError(.notAuthenticated, "Revoked.", reason: "revoked")
    let revocation = BrokerFrame(replyTo: 0, message: .goodbye(error))
    _ = try device.replica.received([changes("Quuxworth", to: 1), revocation], now: Room.now)
    #expect(try device.holds("Quuxworth") == [])
  }
}
