// Groups as a client meets them, at a running agent whose broker is this file: it has said of a group
// and has not told all of what is in it.

import Contacts
import DeviceDriver
import DeviceStore
import NIOHTTP1
import Records
import SyncCore
import Testing

@testable import AgentDaemon

@Suite("Z1 groups over HTTP", .timeLimit(.minutes(5)))
struct GroupRoutesTests {
  private static let account = AccountID(7)
  private static let history = Incarnation(9)
  private static let group = ZoneID(name: ZoneName(5))

  /// What a broker says, in order; the first answers the greeting.
  private static func hear(_ messages: [BrokerMessage], _ agent: RunningAgent) async throws {
    try await agent.driver.edit { replica, now in
      _ = replica.brokerAppeared()
      for case .conversation(.send(let id, .hello)) in try replica.connected(now: now) {
        let welcome = Welcome(
          version: 1, account: account, accountName: "ada", device: DeviceID(8),
          lastNumber: .zero, directory: Revision(1), heartbeatSeconds: 30)
        _ = try replica.received(.welcome(welcome), replyTo: id, now: now)
      }
      for message in messages { _ = try replica.received(message, replyTo: 0, now: now) }
      return ((), try replica.disconnected(now: now))
    }
  }

  private static var directory: BrokerMessage {
    .directory(
      DirectoryPage(
        from: .zero, to: Revision(1),
        entries: [ZoneID.standard, group].map { zone in
          DirectoryEntry(
            revision: Revision(1), zone: zone.resolved(for: account), title: "Rowing",
            role: .owner, isWritable: true, incarnation: history, isDeleted: false)
        }))
  }

  private static func changes(_ names: [String]) throws -> BrokerMessage {
    let stamp = Stamp(
      time: Timestamp(microseconds: 1),
      origin: Origin(account: account, device: DeviceID(99), request: RequestNumber(1)))
    let fields: Fields = ["firstName": .string("Cora")]
    return .changes(
      ZoneChanges(
        zone: group.resolved(for: account), incarnation: history, from: .zero,
        to: Revision(Int64(names.count)), scanStart: Revision(2),
        changes: names.enumerated().map { index, name in
          Change(
            name: RecordName(stored: name), tag: Revision(Int64(index + 1)), kind: .saved,
            type: ContactRecord.type, created: stamp, modified: stamp,
            record: EncodedRecord(fields))
        }))
  }

  @Test func `N1 a group whose contacts are not all here is not deleted`() async throws {
    try await RunningAgent.with { agent in
      try await Self.hear([Self.directory, try Self.changes(["c1"])], agent)
      for contacts in ["keep", "delete"] {
        let answer = try await agent.ask(
          .DELETE, "/v1/groups/Rowing?acknowledged=true&contacts=\(contacts)")
        #expect(answer.code == "serviceUnavailable")
      }
      #expect(try await agent.ask(.GET, "/v1/groups").list("groups").count == 2)
      let level = BrokerMessage.level(
        zone: Self.group.resolved(for: Self.account), incarnation: Self.history,
        head: Revision(2), scanStart: Revision(2))
      try await Self.hear([try Self.changes(["c1", "c2"]), level], agent)
      let before = try await agent.ask(.GET, "/v1/contacts").list("contacts").count
      let answer = try await agent.ask(
        .DELETE, "/v1/groups/Rowing?acknowledged=true&contacts=keep")
      #expect(answer.status < 300)
      #expect(try await agent.ask(.GET, "/v1/groups").list("groups").count == 1)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == before)
    }
  }

  @Test func `a title in other case names a group, unless two differ only in case`() async throws {
    try await RunningAgent.with { agent in
      for title in ["Rowing", "Choir", "choir"] {
        let made = try await agent.ask(.POST, "/v1/groups", #"{"title":"\#(title)"}"#)
        #expect(made.status < 300, "\(title)")
      }
      #expect(try await agent.ask(.GET, "/v1/contacts?group=ROWING").status == 200)
      #expect(try await agent.ask(.GET, "/v1/contacts?group=choir").status == 200)
      let several = try await agent.ask(.GET, "/v1/contacts?group=CHOIR")
      #expect(several.code == "invalidArguments")
      #expect(try await agent.ask(.GET, "/v1/contacts?group=Row").code == "zoneNotFound")
    }
  }
}
