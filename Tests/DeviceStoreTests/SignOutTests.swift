import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("K1 signing out and in")
struct SignOutTests {
  private let room = Room()

  private func signOut(_ ada: TestDevice, discarding: Bool = false) throws {
    try ada.perform(ada.replica.signOut(discarding: discarding, now: Room.now))
  }

  @Test func `nothing of the account stays, and nobody can write`() throws {
    let ada = try TestDevice(room, "laptop")
    try ada.save("c", ["firstName": .string("Quuxworth")])
    try ada.delete("c")
    try ada.save("d", ["firstName": .string("Quuxworth")])
    try signOut(ada)
    #expect(try ada.holds("Quuxworth") == [])
    #expect(try ada.holds("ada") == [])
    #expect(try ada.reader.groups().isEmpty)
    #expect(ada.replica.phase.description == "signed out")
    let error = #expect(throws: RecordsError.self) {
      try ada.save("e", ["firstName": .string("Nobody's")])
    }
    #expect(error?.code == .notAuthenticated)
    #expect(try room.broker.fields("d") == ["firstName": .string("Quuxworth")])
    try ada.restart()
    #expect(ada.replica.phase.description == "signed out")
    #expect(!ada.isConnected)
  }

  @Test func `the sessions of the page go in the same transaction`() throws {
    let ada = try TestDevice(room, "laptop")
    for key in ["session.web", "page.language"] { try ada.choose(key, "kept") }
    try signOut(ada)
    #expect(try ada.reader.setting("session.web") == nil)
    #expect(try ada.reader.setting("page.language") == "kept")
  }

  @Test func `edits that wait are not lost unless that is said`() throws {
    let ada = try TestDevice(room, "laptop")
    try ada.goOffline()
    try ada.save("c", ["firstName": .string("Waiting")])
    let error = #expect(throws: RecordsError.self) { try signOut(ada) }
    #expect(error?.code == .serviceUnavailable)
    #expect(error?.message.contains("1 edit") == true)
    #expect(try ada.fields("c") != nil)
    try signOut(ada, discarding: true)
    #expect(try ada.fields("c") == nil)
    #expect(try ada.reader.status().waitingEdits == 0)
  }

  @Test func `refused edits that wait for their author are not lost unless that is said`() throws {
    let ada = try TestDevice(room, "laptop")
    room.broker.poison = (
      name: RecordName(stored: "c"), error: RecordsError(.quotaExceeded, "Full.")
    )
    try ada.save("c", ["firstName": .string("Typed")])
    let error = #expect(throws: RecordsError.self) { try signOut(ada) }
    #expect(error?.code == .constraintViolation)
    #expect(error?.message.contains("1 edit was rejected") == true)
    try ada.goOffline()
    try ada.save("d", ["firstName": .string("Waiting")])
    let both = #expect(throws: RecordsError.self) { try signOut(ada) }
    #expect(both?.code == .serviceUnavailable)
    #expect(both?.message.contains("1 edit was rejected") == true)
    #expect(both?.message.contains("1 edit has not") == true)
    try signOut(ada, discarding: true)
    #expect(try ada.reader.rejectedEdits().isEmpty)
  }

  @Test func `signed in again it is a new device with all that the account has`() throws {
    let ada = try TestDevice(room, "laptop")
    try ada.save("c", ["firstName": .string("Cora")])
    let before = ada.device
    try signOut(ada)
    ada.forgetDevice()
    try ada.perform(ada.replica.signIn(account: "ada", now: Room.now))
    #expect(try ada.fields("c") == ["firstName": .string("Cora")])
    #expect(try ada.reader.status().device != before)
    try ada.save("d", ["firstName": .string("Dunn")])
    #expect(try room.broker.fields("d") != nil)
    #expect(throws: RecordsError.self) {
      _ = try ada.replica.signIn(account: "ada", now: Room.now)
    }
  }

  @Test func `a device that was revoked is emptied, and says so after a restart too`() throws {
    let ada = try TestDevice(room, "laptop")
    try ada.save("c", ["firstName": .string("Quuxworth")])
    let error = RecordsError(.notAuthenticated, "Revoked.", reason: "revoked")
    try room.tell([.goodbye(error)])
    #expect(try ada.holds("Quuxworth") == [])
    #expect(!ada.isConnected)
    try ada.restart()
    guard case .refused(let told) = ada.replica.phase else {
      Issue.record("\(ada.replica.phase)")
      return
    }
    #expect(told.reason == "revoked")
    // It had not joined with an invitation, so the name of the account is enough.
    #expect(told.field == nil)
    #expect(try !ada.reader.needsInvitation())
  }
}
