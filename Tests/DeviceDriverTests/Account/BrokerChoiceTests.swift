import BrokerLinks
import DeviceStore
import Processes
import Records
import Testing

@testable import DeviceDriver

@Suite("R3, R4 the broker that a device signs in to")
struct BrokerChoiceTests {
  private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
  private let broker = JoinedBroker(addresses: ["server.example:7433"], keyDigest: [1])

  private func replica() throws -> Replica {
    try Replica(
      database: .inMemory(schema: []),
      settings: DeviceSettings(container: "items", accountName: nil, deviceName: "laptop"),
      application: Application(rules: ApplicationRules(), projections: []),
      generator: SystemRandomNumberGenerator(), now: Self.now)
  }

  /// A device that had joined an account on another machine, and has none any more.
  private func formerMember() throws -> Replica {
    let replica = try replica()
    _ = try replica.join(
      broker, of: "ada", isReplacing: false, deviceKeyDigest: replica.reader.deviceKeyDigest(),
      now: Self.now)
    _ = try replica.signOut(discarding: true, now: Self.now)
    return replica
  }

  private func choice(_ replica: Replica, _ endpoints: [String]) throws -> BrokerChoice {
    BrokerChoice(
      configured: try endpoints.map { try BrokerEndpoint($0) }, isChosen: false,
      reader: replica.reader)
  }

  @Test(arguments: [[], ["/nowhere/broker.sock"], ["tls://server.example"]])
  func `a device that had joined with an invitation needs another one`(endpoints: [String]) throws {
    let choice = try choice(try formerMember(), endpoints)
    let error = #expect(throws: RecordsError.self) { try choice.checkSignInByName() }
    #expect(error?.code == .notAuthenticated && error?.reason == "invitationNeeded")
    #expect(error?.hint.contains("invitation") == true)
  }

  @Test func `a broker that lets in the users of this machine needs none`() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "broker.sock")
    let replica = try formerMember()
    try choice(replica, [directory.file("broker.sock")]).checkSignInByName()
    try choice(replica, ["ssh://server.example"]).checkSignInByName()
  }

  @Test func `a device that never joined with an invitation needs none`() throws {
    let replica = try replica()
    _ = try replica.signOut(discarding: true, now: Self.now)
    try choice(replica, ["/nowhere/broker.sock"]).checkSignInByName()
  }
}
