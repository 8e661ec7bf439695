// The account of a container, with a broker that is reached over TLS as from another machine.

import BrokerClientTesting
import Foundation
import OfflineClient
import Testing

@Suite("E1, R3, K1 the account of an offline container", .timeLimit(.minutes(5)))
struct OfflineAccountTests {
  private let directory: DeviceDirectory

  init() throws { directory = try DeviceDirectory() }

  private func note(_ text: String) -> Record {
    Record(recordType: "Note", fields: ["text": .string(text)])
  }

  /// Starts a broker, and a device on its machine that has the note “milk”.
  private func household() async throws -> (TLSBroker, OfflineContainer) {
    let broker = try await TLSBroker()
    let desktop = try await directory.open("desktop", broker: broker.localAddress)
    try await desktop.save(note("milk"))
    try await desktop.synced()
    return (broker, desktop)
  }

  private func close(_ devices: OfflineContainer...) async throws {
    for device in devices { try await device.close() }
  }

  // MARK: Joining

  @Test func `a program joins by an invitation, and both devices see each other's records`()
    async throws
  {
    let (broker, desktop) = try await household()
    let invitation = try await desktop.inviteDevice()
    #expect(invitation.link == "contacts-device:\(invitation.code)@\(broker.address)")
    #expect(invitation.expirationDate > Date())
    #expect(!"\(invitation)".contains(invitation.code))
    var configuration = directory.configuration("phone")
    configuration.accountName = nil
    let phone = try await OfflineContainer.open(configuration)
    #expect(try await !phone.synchronize(waitSeconds: 3600))
    #expect(try await phone.join(invitation.link) == "ada")
    try await phone.synced()
    #expect(try phone.notes() == ["milk"])
    try await phone.save(note("bread"))
    try await phone.synced()
    try await eventually { try desktop.notes() == ["bread", "milk"] }
    try await close(desktop, phone)
  }

  @Test func `a device that joined finds the broker after a restart, and invites the next one`()
    async throws
  {
    let (broker, desktop) = try await household()
    let first = try await directory.open("phone")
    try await first.join(try await desktop.inviteDevice().link)
    try await first.close()
    let phone = try await directory.open("phone")
    try await phone.synced()
    #expect(try phone.notes() == ["milk"])
    let invitation = try await phone.inviteDevice(validSeconds: 60)
    let tablet = try await directory.open("tablet", broker: .local)
    try await tablet.join(invitation.code, address: broker.address)
    try await tablet.synced()
    #expect(try tablet.notes() == ["milk"])
    try await close(desktop, phone, tablet)
  }

  @Test func `an invitation that cannot be used has its own error, and nothing is lost`()
    async throws
  {
    let (broker, desktop) = try await household()
    let address = broker.address
    let invitation = try await desktop.inviteDevice()
    let (link, code) = (invitation.link, invitation.code)
    let phone = try await directory.open("phone")
    try await phone.save(note("early"))
    let letter = code.first == "0" ? "1" : "0"
    let wrong = "\(letter)\(code.dropFirst())"
    let mistyped = await #expect(throws: RecordsError.self) {
      try await phone.join(wrong, address: address, existingRecords: .delete)
    }
    #expect(mistyped?.code == .invalidArguments && mistyped?.reason == "malformedCode")
    let nowhere = await #expect(throws: RecordsError.self) {
      try await phone.join(code, existingRecords: .delete)
    }
    #expect(nowhere?.code == .invalidArguments && nowhere?.hint.contains("`address`") == true)
    let tablet = try await directory.open("tablet")
    try await tablet.join(link)
    let used = await #expect(throws: RecordsError.self) {
      try await phone.join(link, existingRecords: .delete)
    }
    #expect(used?.code == .permissionFailure && used?.reason == "usedInvitation")
    #expect(try phone.notes() == ["early"])
    #expect(try phone.status().pendingEditCount == 1)
    #expect(try phone.status().connection == .offline)
    try await close(desktop, phone, tablet)
  }

  @Test(arguments: ExistingRecordsPolicy.allCases)
  func `records that were there before are merged or deleted, as the program says`(
    _ policy: ExistingRecordsPolicy
  ) async throws {
    let (broker, desktop) = try await household()
    let phone = try await directory.open("phone")
    try await phone.save(note("early"))
    try await phone.save(Record(recordType: "Folder", fields: ["text": "home"]))
    let link = try await desktop.inviteDevice().link
    let undecided = await #expect(throws: RecordsError.self) { try await phone.join(link) }
    #expect(undecided?.code == .constraintViolation && undecided?.reason == "existingRecords")
    #expect(undecided?.message.contains("2 records") == true)
    #expect(try phone.notes() == ["early"])
    var folders = try phone.observe(Query(recordType: "Folder")).makeAsyncIterator()
    #expect(try await folders.next()?.count == 1)
    try await phone.join(link, address: broker.address, existingRecords: policy)
    try await phone.synced()
    let expected = policy == .merge ? ["early", "milk"] : ["milk"]
    #expect(try phone.notes() == expected)
    try await eventually { try desktop.notes() == expected }
    if policy == .delete { #expect(try await folders.next() == []) }
    try await close(desktop, phone)
  }

  @Test func `an invitation of another account or broker is refused before it is used up`()
    async throws
  {
    let (broker, desktop) = try await household()
    let link = try await desktop.inviteDevice().link
    let phone = try await directory.open("phone", account: "grace")
    let account = await #expect(throws: RecordsError.self) { try await phone.join(link) }
    #expect(account?.code == .permissionFailure && account?.reason == "otherAccountName")
    let laptop = try await directory.open("laptop", broker: .unixSocket("/tmp/none.sock"))
    let other = await #expect(throws: RecordsError.self) { try await laptop.join(link) }
    #expect(other?.code == .permissionFailure && other?.reason == "otherBroker")
    let address = try BrokerAddress("tls://\(broker.address)")
    let tablet = try await directory.open("tablet", broker: address)
    try await tablet.join(link)
    try await tablet.synced()
    try await close(desktop, phone, laptop, tablet)
  }

  @Test func `an invitation that no device can use is not created`() async throws {
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      try await laptop.synced()
      let silent = await #expect(throws: RecordsError.self) { try await laptop.inviteDevice() }
      #expect(silent?.code == .constraintViolation && silent?.reason == "notListening")
      let late = await #expect(throws: RecordsError.self) {
        try await laptop.inviteDevice(validSeconds: 100_000)
      }
      #expect(late?.code == .invalidArguments)
      try await laptop.close()
    }
  }

  // MARK: Removal

  @Test func `the file of a removed device is emptied, and signs in again by a new invitation`()
    async throws
  {
    let (broker, desktop) = try await household()
    let removed = try await directory.open("phone")
    try await removed.join(try await desktop.inviteDevice().link)
    try await removed.synced()
    var notes = try removed.observe(Query(recordType: "Note")).makeAsyncIterator()
    #expect(try await notes.next()?.count == 1)
    try await broker.revoke("phone")
    try await eventually { try removed.rejection?.reason == "revoked" }
    #expect(try await notes.next() == [])
    let error = await #expect(throws: RecordsError.self) { try await removed.save(note("bread")) }
    #expect(error?.code == .notAuthenticated && error?.hint.contains("`join(") == true)
    try await removed.close()
    let phone = try await directory.open("phone")
    #expect(try phone.rejection?.reason == "revoked" && phone.notes().isEmpty)
    try await phone.join(try await desktop.inviteDevice().link)
    try await phone.synced()
    #expect(try phone.notes() == ["milk"])
    #expect(try await notes.next() == nil)
    try await close(desktop, phone)
  }

  // MARK: Signing out and in

  @Test func `signing out erases the records, and the same file can sign in again`() async throws {
    try await LocalBroker.run { broker in
      let laptop = try await directory.open("laptop", broker: broker.address)
      try await laptop.save(note("milk"))
      try await laptop.synced()
      try await laptop.signOut()
      #expect(try laptop.notes().isEmpty && laptop.status().userID == nil)
      #expect(try laptop.rejection?.reason == "signedOut")
      let twice = await #expect(throws: RecordsError.self) { try await laptop.signOut() }
      #expect(twice?.code == .notAuthenticated && twice?.hint.contains("`signIn(") == true)
      let other = await #expect(throws: RecordsError.self) {
        try await laptop.signIn(account: "eve")
      }
      #expect(other?.code == .permissionFailure)
      try await laptop.signIn(account: "ada")
      try await laptop.synced()
      #expect(try laptop.notes() == ["milk"])
      let again = await #expect(throws: RecordsError.self) { try await laptop.signIn() }
      #expect(again?.code == .constraintViolation && again?.reason == "signedIn")
      #expect(again?.hint.contains("`signOut(") == true)
      try await laptop.close()
    }
  }

  @Test func `unsent edits are not lost by signing out, unless the program says so`() async throws {
    let laptop = try await directory.open("laptop")
    try await laptop.save(note("milk"))
    let error = await #expect(throws: RecordsError.self) { try await laptop.signOut() }
    #expect(error?.code == .serviceUnavailable && error?.reason == "unsentEdits")
    #expect(error?.hint.contains("discardingEdits") == true)
    #expect(try laptop.notes() == ["milk"])
    try await laptop.signOut(discardingEdits: true)
    #expect(try laptop.notes().isEmpty)
    try await laptop.signIn()
    try await laptop.save(note("bread"))
    #expect(try laptop.notes() == ["bread"])
    try await eventually { try laptop.status().connection == .offline }
    try await laptop.close()
  }
}

extension OfflineContainer {
  /// Why the broker rejects the device; `nil` if it does not.
  fileprivate var rejection: RecordsError? {
    get throws {
      if case .rejected(let error) = try status().connection { error } else { nil }
    }
  }
}
