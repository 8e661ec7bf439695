// What is wrong with a server or a database when a broker starts, and what goes wrong later and passes.

import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Foundation
import PostgreSQLConnections
import PostgreSQLStores
import Predicates
import Processes
import Records
import SQLConnections
import Synchronization
import Testing

@Suite("A PostgreSQL database that cannot be used", onPostgreSQL, .timeLimit(.minutes(5)))
struct PostgreSQLRecordStoreTests {
  private let world: FaultWorld
  private let database: String

  init() throws {
    world = try FaultWorld()
    database = try world.makeDatabase()
  }

  private func failure() -> StoreError? {
    #expect(throws: StoreError.self) { try world.open(database, limits: Self.short) }
  }

  /// Limits that are over at once.
  private static var short: PostgreSQLLimits {
    var limits = FaultWorld.limits
    limits.otherBroker = .milliseconds(20)
    limits.outcome = .milliseconds(300)
    return limits
  }

  // MARK: At the start

  @Test func `a database of another version is not touched`() throws {
    _ = try world.open(database)
    let observer = try world.server.observer(of: database)
    try observer.run("UPDATE contacts_broker.schema_version SET version = 99, oldest = 98")
    #expect(
      failure()
        == StoreError(
          .otherVersion,
          "The database was written by another version of this program; use that version, or export with it "
            + "and import with this one."))
    #expect(try observer.value("SELECT version FROM contacts_broker.schema_version") == 99)
  }

  @Test func `a database that does not say which brokers can serve is not touched`() throws {
    _ = try world.open(database)
    let observer = try world.server.observer(of: database)
    try observer.run("ALTER TABLE contacts_broker.schema_version DROP COLUMN oldest")
    #expect(failure()?.kind == .otherVersion)
  }

  @Test func `the schema of another program is not touched`() throws {
    let observer = try world.server.observer(of: database)
    try observer.run("CREATE SCHEMA contacts_broker")
    try observer.run("CREATE TABLE contacts_broker.theirs (number bigint)")
    #expect(
      failure()
        == StoreError(
          .foreign,
          "The schema “contacts_broker” of the database belongs to another program; choose another database."
        ))
    #expect(
      try observer.value("SELECT count(*) FROM pg_class WHERE relname = 'schema_version'") == 0)
  }

  @Test func `a database that a program has for itself is refused until that one ends`() throws {
    _ = try world.open(database)
    let observer = try world.server.observer(of: database)
    // The number of the lock is part of the schema: brokers of other versions use it. The server may not have noticed yet
    // that the first store is gone, so this waits for it.
    try observer.run("SELECT pg_advisory_lock(?)", [0x434B_6272])
    #expect(
      failure()
        == StoreError(
          .inUse,
          "Another program needs the database for itself."))
    let isUnlocked: Bool? = try observer.value("SELECT pg_advisory_unlock(?)", [0x434B_6272])
    #expect(isUnlocked == true)
    _ = try world.open(database)
  }

  // MARK: Later

  @Test func `a broker without its server refuses requests with a sentence, and goes on later`()
    async throws
  {
    let store = try world.open(database)
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    try world.server.stop()
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [save("b")])
    ])
    let results = client.committer.perform([request], at: time(3))
    #expect(
      error(of: results[0])
        == RecordsError(
          .serviceUnavailable, "The broker cannot reach its database. Its log has the reason.",
          hint: "The device sends the request again.", retryAfterSeconds: 5))
    let read = store.result(
      of: .client(
        .fetch([]),
        RequestContext(connection: ConnectionID(1), replyTo: 1, identity: client.identity)),
      encode: { _ in [] }, clock: QueryClock(now: time(3)) { false })
    if case .client(.error(let error), _, _) = read {
      #expect(error.message.hasPrefix("The broker cannot reach its database."))
    }
    try await world.server.start()
    try await succeed(&client, request, Revision(2))
  }

  @Test func `a server that becomes a read-only standby refuses saves until it is promoted`()
    async throws
  {
    let store = try world.open(database)
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    try world.server.stop()
    try await world.server.startAsStandby()
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [save("b")])
    ])
    let reports = Mutex<[StoreError]>([])
    var committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { error in
        if let error = error as? StoreError { reports.withLock { $0.append(error) } }
      })
    let result = committer.perform([request], at: time(3))[0]
    #expect(error(of: result)?.message.hasPrefix("The broker cannot write to its disk.") == true)
    let sentence = StoreError(
      .disk,
      "The database cannot be written: its server is a read-only standby; use the primary server.")
    #expect(reports.withLock { $0.last } == sentence)
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    #expect(try store.fetch([id], of: client.identity)[0]?.tag == Revision(1))
    #expect(failure() == sentence)
    try world.server.promote()
    try await succeed(&client, request, Revision(2))
  }

  /// Sends a request until it succeeds.
  private func succeed(_ client: inout StoreClient, _ request: StorageRequest, _ tag: Revision)
    async throws
  {
    let client = client
    let outcome = try await Patience.wait(for: "the save to succeed") { () -> ModifyOutcome? in
      var committer = client.committer
      let result = committer.perform([request], at: time(4))[0]
      return try? StoreClient.outcome(result).0
    }
    #expect(outcome.groups == [[.saved(tag: tag)]])
  }

  private func error(of result: StorageResult) -> RecordsError? {
    guard case .client(.answered(.error(let error), _), _) = result else { return nil }
    return error
  }

  @Test(
    arguments: [
      "40001", "40P01", "57014", "53100", "53200", "55P03", "0A000", "26000", "25006", "58030",
    ])
  func `what passes costs no request its outcome`(state: String) throws {
    let store = try world.open(database)
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    let observer = try world.server.observer(of: database)
    try observer.fail(with: state)
    // Once: the committer repeats the transaction. Many times: the device repeats the request.
    for (times, name) in [(1, "b"), (9, "c")] {
      try observer.run("ALTER SEQUENCE failures RESTART \(100 - times)")
      let request = client.nextRequest([
        OperationGroup(zone: .standard, operations: [save(name)])
      ])
      let result = client.committer.perform([request], at: time(3))[0]
      if times == 1 {
        #expect(try StoreClient.outcome(result).0.groups == [[.saved(tag: Revision(2))]])
        continue
      }
      #expect(error(of: result)?.code == .serviceUnavailable)
      try observer.run("ALTER SEQUENCE failures RESTART 100")
      let again = client.committer.perform([request], at: time(4))[0]
      #expect(try StoreClient.outcome(again).0.groups == [[.saved(tag: Revision(3))]])
    }
  }

  @Test func `statements that the server has forgotten or that do not fit are prepared again`()
    throws
  {
    let store = try world.open(database)
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    let observer = try world.server.observer(of: database)
    try observer.run("ALTER TABLE contacts_broker.device ALTER is_revoked TYPE integer")
    _ = try client.modify([save("b")])
    try observer.fail(with: nil)
    _ = try client.modify([save("c")])
    #expect(try client.page().to == Revision(3))
  }

  // MARK: The end of the process

  /// Notes the error with which a process would end, and stops the thread.
  private final class Ending: Sendable {
    let error = Mutex<StoreError?>(nil)

    func end(because error: StoreError) -> Never {
      self.error.withLock { $0 = error }
      while true { pause() }
    }
  }

  private func ending(_ body: @escaping @Sendable (_ ending: Ending) throws -> Void) async throws
    -> String
  {
    let ending = Ending()
    Thread.detachNewThread {
      do { try body(ending) } catch { Issue.record("\(error)") }
    }
    return try await Patience.wait(for: "the end of the process") {
      ending.error.withLock { $0?.message }
    }
  }

  @Test func `a commit whose outcome no server tells ends the process`() async throws {
    let (world, database) = (world, database)
    let sentence = try await ending { ending in
      let store = try world.open(
        database, limits: Self.short, end: { ending.end(because: $0) })
      var client = try StoreClient(store)
      world.proxy.refuse(for: .seconds(3600))
      world.proxy.arm(.commit(0, .answered))
      _ = try client.modify([save("a")])
    }
    #expect(
      sentence.hasPrefix(
        """
        No server has told for 0.3 seconds whether the last transaction was committed, so the broker stops. \
        It finds out when it starts again. The last failure: No PostgreSQL server answers at
        """))
    world.proxy.disarm()
    // The thread that has stopped keeps its store, and nothing else.
    let client = try StoreClient(try world.open(database))
    #expect(try client.page().changes.map(\.name.text) == ["a"])
  }

  @Test func `a broker that was away while another one wrote goes on with its changes`() throws {
    var client = try StoreClient(try world.open(database))
    _ = try client.modify([save("a")])
    try world.server.endConnections(to: database)
    var other = try StoreClient(try world.open(database), key: [2])
    _ = try other.modify([save("b")])
    try world.server.endConnections(to: database)
    _ = try? client.modify([save("c")])
    _ = try client.modify([save("d")])
    let names = try client.page().changes.map(\.name.text)
    #expect(names.filter { $0 != "c" } == ["a", "b", "d"])
  }

  /// What makes the database one that a broker cannot continue with.
  enum Change: CaseIterable {
    case logDeleted, tooManyCommits, olderState
  }

  @Test(arguments: Change.allCases)
  func `a broker that cannot learn what happened meanwhile ends`(change: Change) async throws {
    let (world, database) = (world, database)
    let sentence = try await ending { ending in
      var limits = Self.short
      if change == .tooManyCommits { limits.unreadCommitsMaximum = 1 }
      let store = try world.open(database, limits: limits, end: { ending.end(because: $0) })
      var client = try StoreClient(store)
      _ = try client.modify([save("a")])
      var other = try StoreClient(try world.open(database), key: [2])
      _ = try other.modify([save("b")])
      _ = try other.modify([save("c")])
      try Self.make(change, try world.server.observer(of: database))
      _ = try client.modify([save("d")])
    }
    #expect(
      sentence == """
        The database is not in the state that this broker knows, or in one that follows it: an older state was \
        restored, or the broker was away for too long. So the broker stops. It continues with the new state when \
        it starts again.
        """)
    let client = try StoreClient(try world.open(database))
    #expect(try client.page().changes.map(\.name.text) == ["a", "b", "c"])
  }

  private static func make(_ change: Change, _ observer: PostgreSQLConnection) throws {
    switch change {
    case .logDeleted:
      try observer.run(
        """
        DELETE FROM contacts_broker.commit_log
        WHERE position < (SELECT max(position) FROM contacts_broker.commit_log)
        """)
    case .tooManyCommits: break
    case .olderState:
      try observer.run("DELETE FROM contacts_broker.commit_log WHERE position > 1")
      try observer.run(
        """
        UPDATE contacts_broker.commit_mark
        SET (position, number) = (SELECT position, mark FROM contacts_broker.commit_log)
        """)
    }
  }

  @Test func `a former primary that is started again is refused`() async throws {
    let pair = try await ServerPair()
    let (former, next) = (pair.primary, pair.standby)
    try former.observer().run("CREATE DATABASE moved")
    let hosts = [former, next].map {
      URL(filePath: $0.socketPath).deletingLastPathComponent().path()
    }
    let address =
      "postgresql://postgres@/moved?host=\(hosts.joined(separator: ","))&target_session_attrs=read-write"
    let store = try PostgreSQLRecordStore(address: address, limits: FaultWorld.limits)
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    try await pair.promote()
    try next.set("synchronous_standby_names", to: nil)
    _ = try? client.modify([save("b")])
    try await Patience.wait(until: "the broker to use the new primary") {
      (try? store.transact { _ in }) != nil
    }
    try await next.kill()
    try await former.start()
    var refusal = ""
    try await Patience.wait(until: "an answer of the former primary") {
      do {
        try store.transact { _ in }
      } catch {
        refusal = "\(error)"
      }
      return refusal.contains("former primary")
    }
    #expect(refusal == "The server is a former primary: another server has taken over from it.")
  }
}

extension PostgreSQLConnection {
  /// Makes the insertion of a record fail as long as the sequence `failures` is below 100. Without a state, makes the
  /// connection forget its prepared statements once instead.
  fileprivate func fail(with state: String?) throws {
    try run("CREATE SEQUENCE failures START 99")
    let fault =
      state.map { "RAISE EXCEPTION 'It is so.' USING ERRCODE = '\($0)'" }
      ?? "EXECUTE 'DEALLOCATE ALL'"
    try run(
      """
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('public.failures') < 100 THEN \(fault); END IF;
        RETURN NULL;
      END $$
      """)
    try run(
      """
      CREATE TRIGGER fail AFTER INSERT ON contacts_broker.record
      FOR EACH ROW EXECUTE FUNCTION fail()
      """)
  }
}
