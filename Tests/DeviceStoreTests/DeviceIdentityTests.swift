// What the database of a copied device keeps of the device that it was.

import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("I20 the identity of a copied device, in its database")
struct DeviceIdentityTests {
  private let room = Room()

  /// A device that has become a new one, which the broker does not know yet.
  private func copy() throws -> (TestDevice, former: FormerDevice) {
    let copy = try TestDevice(room, "laptop")
    let former = FormerDevice(try #require(copy.device), key: room.broker.lastKey)
    try copy.hear(
      .goodbye(RecordsError(.constraintViolation, "A copy.", reason: "clonedDevice")))
    copy.isOnline = false
    copy.forgetDevice()
    return (copy, former)
  }

  @Test func `the former device is kept across a restart, and gone after the welcome`() throws {
    let (copy, former) = try copy()
    try copy.restart()
    try copy.goOnline()
    #expect(room.broker.lastFormerDevice == former)
    #expect(room.broker.lastKey != former.key && copy.device != former.device)
    try copy.restart()
    #expect(room.broker.lastFormerDevice == nil)
    #expect(try copy.reader.status().device == copy.device)
  }

  @Test func `the former device is kept while the welcome does not arrive`() throws {
    let (copy, former) = try copy()
    copy.isOnline = true
    copy.isDeaf = true
    try copy.perform(copy.replica.brokerAppeared())
    #expect(room.broker.lastFormerDevice == former)
    let key = room.broker.lastKey
    try copy.restart()
    #expect(room.broker.lastFormerDevice == former && room.broker.lastKey == key)
  }

  @Test func `signing out deletes the former device`() throws {
    let (copy, _) = try copy()
    try copy.perform(copy.replica.signOut(discarding: true, now: Room.now))
    try copy.perform(copy.replica.signIn(account: "ada", now: Room.now))
    try copy.goOnline()
    #expect(room.broker.lastFormerDevice == nil && copy.device != nil)
  }

  @Test func `joining by an invitation deletes the former device`() throws {
    let (copy, _) = try copy()
    let broker = JoinedBroker(addresses: ["server:7433"], keyDigest: [1])
    try copy.perform(
      copy.replica.join(
        broker, of: "ada", isReplacing: false,
        deviceKeyDigest: copy.reader.deviceKeyDigest(), now: Room.now))
    try copy.goOnline()
    #expect(room.broker.lastFormerDevice == nil && copy.device != nil)
  }
}
