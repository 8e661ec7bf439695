// Every store: the zones in an account's directory, and how long deleted ones are listed.

import BrokerCore
import BrokerStore
import GRDB
import Records
import RecordsWire
import Testing

@Suite("I11, I20 directory contract")
struct DirectoryContract {
  private static let zone = ZoneName(7)

  /// Lets entries expire. The first step dates those without a date, and the second finds them old.
  private func forget(_ store: any RecordStore) throws {
    let times = [
      AgeCutoff(before: time(10), present: time(20)),
      AgeCutoff(before: time(21), present: time(30)),
    ]
    for old in times {
      while try store.transact({ try $0.expireDirectoryEntries(old, rowsMaximum: 10) }) {}
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a deleted zone is listed until the horizon; then only its owner and name remain`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(kind.make())
    let zone = ZoneID(owner: client.identity.account, name: Self.zone)
    _ = try client.modify([.saveZone(title: "Friends"), save("a")], in: zone)
    let before = try client.store.directory(of: client.identity)
    _ = try client.modify([.deleteZone()], in: zone)
    let old = AgeCutoff(before: time(10), present: time(20))
    #expect(try !client.store.transact { try $0.expireDirectoryEntries(old, rowsMaximum: 10) })
    #expect(try client.entry(zone)?.isDeleted == true, "not old yet")
    try forget(client.store)
    #expect(try client.entry(zone) == nil)
    let late = try client.signInAgain(directory: before.to)
    #expect(late.directory.from == .zero, "who has not heard of it reads everything")
    let level = try client.signInAgain(directory: late.directory.to)
    #expect(level.directory.entries.isEmpty && level.directory.from == late.directory.to)
  }

  @Test(arguments: StoreKind.allCases)
  func `creating an expired zone again is rejected and reports its deletion again`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(kind.make())
    let zone = ZoneID(owner: client.identity.account, name: Self.zone)
    _ = try client.modify([.saveZone(title: "Friends")], in: zone)
    _ = try client.modify([.deleteZone()], in: zone)
    try forget(client.store)
    let (results, effects) = try client.modify([.saveZone(title: "Friends")], in: zone)
    guard case .failed(let error, _)? = results.first else {
      Issue.record("\(results)")
      return
    }
    #expect(error.code == .zoneNotFound)
    #expect(effects.directories.flatMap(\.page.entries).map(\.isDeleted) == [true])
    #expect(try client.entry(zone)?.title == "")
    let (_, again) = try client.modify([.saveZone(title: "Friends")], in: zone)
    #expect(again.directories.isEmpty, "it is named already")
    try forget(client.store)
    #expect(try client.entry(zone) == nil, "and forgotten again")
  }

  @Test(arguments: StoreKind.allCases)
  func `a group that an account left expires from its directory until it joins again`(
    kind: StoreKind
  ) throws {
    var world = try SharedWorld(kind)
    try world.accept()
    _ = try world.bob.share(.leave(world.zone)).answer.get()
    #expect(try world.bob.entry(world.zone)?.isDeleted == true)
    try forget(world.ada.store)
    #expect(try world.bob.entry(world.zone) == nil)
    #expect(try world.ada.entry(world.zone)?.isDeleted == false)
    try world.accept()
    #expect(try world.bob.entry(world.zone)?.isDeleted == false)
    try forget(world.ada.store)
    #expect(try world.bob.entry(world.zone)?.isDeleted == false)
  }

  @Test func `a directory at every limit fits a frame`() throws {
    let path = try StoreKind.newPath()
    let client = try StoreClient(SQLiteRecordStore(path: path))
    try fill(path, as: client.identity)
    let page = try client.store.directory(of: client.identity)
    #expect(page.entries.count == Limits.zonesNamedPerAccount)
    #expect(page.entries.contains { !$0.members.isEmpty })
    #expect(page.entries.contains { $0.isShared && !$0.isDeleted && $0.members.isEmpty })
    let frame = BrokerFrame(replyTo: 0, message: .directory(page)).framed
    #expect(frame.count > 3 << 20 && frame.count <= Limits.frameBytes)
  }

  /// Fills the directory up to each limit: zones, deleted zones, length of names, and participants.
  private func fill(_ path: String, as identity: SessionIdentity) throws {
    let queue = try DatabaseQueue(path: path)
    let (longest, present) = (String(repeating: "n", count: 255), Limits.zonesPerAccount)
    try queue.write { db in
      for person in 1...Limits.participantsPerShare {
        try db.execute(
          sql: """
            INSERT INTO account (key, id, name, created_at, display_name)
            VALUES (?1 + 1000, randomblob(16), ?2 || ?1, 0, ?2)
            """, arguments: [person, String(longest.dropLast(3))])
      }
      for number in 2...Limits.zonesNamedPerAccount {
        let key = number + 10_000
        try db.execute(
          sql: """
            INSERT INTO zone (key, container, owner, name, title, incarnation, is_deleted)
            VALUES (?, ?, ?, randomblob(16), ?, randomblob(16), ?)
            """,
          arguments: [key, identity.container, identity.accountKey, longest, number > present])
        try db.execute(
          sql: "INSERT INTO directory (container, account, zone, revision) VALUES (?, ?, ?, ?)",
          arguments: [identity.container, identity.accountKey, key, 1000 + number])
        guard number <= 100 else { continue }
        try db.execute(
          sql: """
            INSERT INTO participant (zone, account, role, permission, status, changed_at)
            SELECT ?, key, 2, 1, \(Participant.Status.accepted.rawValue), 0 FROM account
            WHERE key > 1000
            """, arguments: [key])
      }
      try db.execute(
        sql: "UPDATE directory_head SET revision = 9000 WHERE account = ?",
        arguments: [identity.accountKey])
    }
  }
}
