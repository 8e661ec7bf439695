// Every store: the deletion and the export of accounts.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Testing

@Suite("K1, K5, I11 account deletion and export contract")
struct DeletionContract {
  /// Requests the deletion of an account.
  private func order(
    _ name: String, _ client: inout StoreClient
  ) throws -> AdministrationOutcome {
    let result = client.committer.perform(
      [.administer(.deleteAccount(name: name), ConnectionID(9), replyTo: 1)], at: time(50))[0]
    guard case .administered(let answer, _, _) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    return try answer.get()
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting an owner deletes its groups for all participants and frees its name`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    let outcome = try order("ada", &world.bob)
    #expect(outcome.expelled == .account(world.ada.identity.accountKey))
    #expect(outcome.effects.losses.map(\.account) == [world.bob.identity.accountKey])
    #expect(try world.bob.entry(world.zone)?.isDeleted == true)
    #expect(try world.bob.refusalOfWriting(in: world.zone) == .zoneNotFound)
    #expect(throws: RecordsError.self) { _ = try world.ada.signInAgain() }
    let again = try StoreClient(world.bob.store, key: [7])
    #expect(again.identity.account != world.ada.identity.account)
    #expect(again.directory.entries.count == 1)
    #expect(throws: RecordsError.self) { _ = try order("nobody", &world.bob) }
  }

  @Test func `a deleted account leaves no names, also not of its devices`() throws {
    let path = try StoreKind.newPath()
    var client = try StoreClient(SQLiteRecordStore(path: path))
    let key = client.identity.accountKey
    _ = try order("ada", &client)
    let queue = try DatabaseQueue(path: path)
    let names = try queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM device WHERE account = ?", arguments: [key])
    }
    #expect(names == [""])
  }

  @Test(arguments: StoreKind.allCases)
  func `a deleted member leaves its records in the group and gets no more updates`(kind: StoreKind)
    throws
  {
    var world = try SharedWorld(kind)
    try world.accept()
    _ = try world.bob.modify([save("by bob")], in: world.zone)
    let everything = SubscriptionForm(
      id: SubscriptionID(stored: "s"), database: .shared, kind: .database(type: nil))
    #expect(try world.bob.subscribe(everything) == nil)
    let outcome = try order("bob", &world.ada)
    #expect(
      outcome.effects.losses.map(\.account) == [world.bob.identity.accountKey])
    #expect(
      try world.ada.shared(.fetch(world.zone)).participants.map(\.status) == [.accepted, .left])
    #expect(try world.ada.entry(world.zone)?.isShared == true, "its link is open")
    let (_, effects) = try world.ada.modify([save("after")], in: world.zone)
    #expect(effects.notified.isEmpty)
    let id = RecordID(zone: world.zone, name: RecordName(stored: "by bob"))
    let change = try #require(try world.ada.store.fetch([id], of: world.ada.identity)[0])
    #expect(change.modified.origin.account == world.bob.identity.account)
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting an account deletes its access requests`(kind: StoreKind) throws {
    var world = try SharedWorld(kind, .none)
    _ = try world.bob.share(.requestAccess(SharedWorld.secret)).answer.get()
    #expect(try world.ada.entry(world.zone)?.requests.map(\.name) == ["bob"])
    let outcome = try order("bob", &world.ada)
    #expect(
      outcome.effects.directories.map(\.account).contains(world.ada.identity.accountKey))
    #expect(try world.ada.entry(world.zone)?.requests.isEmpty == true)
  }

  @Test func `an account is exported with its zones and their records`() throws {
    let path = try StoreKind.newPath()
    let store = try SQLiteRecordStore(path: path)
    var client = try StoreClient(store)
    let family = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify([save("a", ["x": .int64(1)]), save("gone")])
    _ = try client.modify([delete("gone", tag: 2)])
    _ = try client.modify([.saveZone(title: "Family"), save("b")], in: family)
    var items: [String] = []
    try BrokerArchive(path: path).export(account: "ada") { item in
      switch item {
      case .account(let name, _, _): items.append("account \(name)")
      case .zone(let container, _, let title): items.append("zone \(container) “\(title)”")
      case .damaged(let state): items.append("damaged \(state.name)")
      case .record(let record): items.append("record \(record.change.name) \(record.fields)")
      }
    }
    #expect(items.count == 5)
    #expect(items[0] == "account ada" && items[1] == "zone contacts “”")
    #expect(items[2].hasPrefix("record a") && items[3] == "zone contacts “Family”")
    #expect(items[4].hasPrefix("record b"))
    #expect(throws: RecordsError.self) {
      try BrokerArchive(path: path).export(account: "bob") { _ in }
    }
  }
}
