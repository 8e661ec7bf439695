// The program with its records in a PostgreSQL database: starting, the operator's commands, and what it says where it
// cannot run.

import Foundation
import PostgreSQLConnections
import Processes
import Records
import RecordsWire
import SQLConnections
import Testing

@Suite(
  "S1 a broker on PostgreSQL", .timeLimit(.minutes(5)),
  .disabled(if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")"))
struct PostgreSQLBrokerTests {
  private struct Said {
    let status: Int32
    let output: String
    let error: String
  }

  private let directory: TemporaryDirectory
  private let address: String

  init() throws {
    directory = try TemporaryDirectory()
    address = try PostgreSQLServer.shared().makeDatabase()
  }

  private func settings(_ address: String? = nil) -> [String: String] {
    ["CONTACTS_BROKER_STORE": address ?? self.address]
  }

  private func administer(_ arguments: String...) async throws -> Said {
    let program = try RunningProgram(
      "contacts-broker", arguments + ["--state", directory.file("state")], environment: settings())
    let status = try await program.end()
    return Said(status: status, output: program.standardOutput, error: program.standardError)
  }

  /// Starts a broker that cannot run. Returns how it ended.
  private func end(
    _ address: String, in directory: TemporaryDirectory? = nil
  ) async throws -> Said {
    let program = try RunningProgram(
      "contacts-broker", RunningBroker.arguments(in: try directory ?? TemporaryDirectory()),
      environment: settings(address))
    let status = try await program.end()
    return Said(status: status, output: program.standardOutput, error: program.standardError)
  }

  @Test func `it keeps records in the database, and no file of its own beside it`() async throws {
    let broker = try await RunningBroker(in: directory, settings: settings())
    var device = WireDevice()
    let client = try await device.connect(broker)
    for name in ["a", "b", "c"] { try await device.perform(.note(name), over: client) }
    try await broker.kill()
    try await broker.restart()
    var reader = WireDevice()
    let reading = try await reader.connect(broker, zones: .fromNothing)
    let (pages, _) = try await reading.changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a", "b", "c"])
    #expect(directory.bytes(of: "state/broker.sqlite").isEmpty)
  }

  @Test func `the operator's lists, counts, checks and exports read the database`() async throws {
    let broker = try await RunningBroker(in: directory, settings: settings())
    var device = WireDevice()
    try await device.perform(.note("a"), over: device.connect(broker))
    #expect(try await administer("account", "add", "grace").status == 0)
    let accounts = try await administer("account", "list").output
    #expect(accounts.contains("grace"), "\(accounts)")
    for list in ["device", "container"] {
      #expect(try await administer(list, "list").status == 0)
    }
    let stats = try await administer("stats", "--json").output
    #expect(stats.contains("\"records\":1"), "\(stats)")
    #expect(try await administer("check").output == "No faults found.\n")
    let export = try await administer("account", "export", "grace", directory.file("grace"))
    #expect(export.status == 0, "\(export.error)")
  }

  @Test func `requests of the operator are applied without a broker too`() async throws {
    #expect(try await administer("account", "add", "grace").status == 0)
    #expect(try await administer("account", "list").output.contains("grace"))
  }

  @Test(arguments: ["backup", "repair"])
  func `a command for a broker's file says that PostgreSQL does it`(command: String) async throws {
    let arguments = command == "backup" ? ["backup", directory.file("b")] : ["repair"]
    let program = try RunningProgram(
      "contacts-broker", arguments + ["--state", directory.file("state")], environment: settings())
    #expect(try await program.end() == 64)
    #expect(program.standardError.contains("in a PostgreSQL database"))
    #expect(program.standardError.contains("docs/scale.md"))
  }

  @Test func `after a restored database all zones start a new history`() async throws {
    let broker = try await RunningBroker(in: directory, settings: settings())
    var device = WireDevice()
    try await device.perform(.note("a"), over: device.connect(broker))
    let refused = try await administer("restore")
    #expect(refused.status == 75, "\(refused.error)")
    try await broker.kill()
    let restored = try await administer("restore", "--rewind")
    #expect(restored.status == 0, "\(restored.error)")
    #expect(restored.output.contains("All zones start a new history"))
    #expect(restored.output.contains("The devices go back to the backup"))
    try await broker.restart()
    #expect(try await WireClient(broker).welcome(device.hello()).rewoundAt > .zero)
    var reader = WireDevice()
    let (pages, _) = try await reader.connect(broker, zones: .fromNothing).changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a"])
  }

  // MARK: What keeps it from starting

  @Test func `a database that another program has for itself is refused with 75`() async throws {
    let database = try PostgreSQLConnection(address)
    // As “contacts-broker copy” and “restore” do it.
    let hasLock: Bool? = try database.value("SELECT pg_try_advisory_lock(?)", [0x434B_6272])
    #expect(hasLock == true)
    let refused = try await end(address)
    #expect(refused.status == 75)
    #expect(refused.error.contains("needs the database for itself"))
  }

  @Test func `no server is reported with 75, so that systemd tries again`() async throws {
    let said = try await end("postgresql://postgres@/d?host=\(directory.path)")
    #expect(said.status == 75)
    #expect(said.error.contains("No PostgreSQL server answers"), "\(said.error)")
  }

  @Test func `an address of another kind is refused with 78, and not repeated`() async throws {
    let said = try await end("mysql://ada:swordfish@db/contacts")
    #expect(said.status == 78)
    #expect(said.error.contains("“store”"))
    #expect(!said.error.contains("swordfish"))
  }

  @Test func `a wrong password is refused with 77, and not repeated`() async throws {
    let server = try PostgreSQLServer(password: "right", listens: true)
    let port = try #require(server.port)
    let said = try await end("postgresql://postgres:swordfish@127.0.0.1:\(port)/postgres")
    #expect(said.status == 77, "\(said.error)")
    #expect(said.error.contains("refused the password"), "\(said.error)")
    #expect(!said.error.contains("swordfish"))
  }
}
