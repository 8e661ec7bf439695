// The operator's commands, run with the program itself, while a broker runs and without one.

import Foundation
import GRDB
import Processes
import Records
import RecordsWire
import Testing

@Suite("I23 backup, restore, check", .timeLimit(.minutes(5)))
struct AdministrationTests {
  private struct Said {
    let status: Int32
    let output: String
    let error: String
  }

  private func administer(_ state: String, _ arguments: String...) async throws -> Said {
    let program = try RunningProgram("contacts-broker", arguments + ["--state", state])
    let status = try await program.end()
    return Said(status: status, output: program.standardOutput, error: program.standardError)
  }

  /// A broker with some notes, and the device that wrote them.
  private func brokerWithNotes() async throws -> (RunningBroker, WireDevice) {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    for name in ["a", "b", "c"] { try await device.perform(.note(name), over: client) }
    return (broker, device)
  }

  @Test func `a backup of a running broker is complete and can be restored`() async throws {
    var (broker, device) = try await brokerWithNotes()
    let backup = try TemporaryDirectory()
    let made = try await administer(
      broker.directory.file("state"), "backup", backup.file("b"))
    #expect(made.status == 0, "\(made.error)")
    let client = try await device.connect(broker)
    try await device.perform(.note("later"), over: client)

    let other = try TemporaryDirectory()
    let restored = try await administer(other.file("state"), "restore", backup.file("b"))
    #expect(restored.status == 0, "\(restored.error)")
    #expect(restored.output.contains("Everything that was revoked after the backup"))
    let checked = try await administer(other.file("state"), "check")
    #expect(checked.output == "No faults found.\n", "\(checked.error)")
    let second = try await RunningBroker(in: other)
    var reader = WireDevice()
    let reading = try await reader.connect(second, zones: .fromNothing)
    let (pages, _) = try await reading.changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a", "b", "c"])
    #expect(try await client.record("later") != nil)
  }

  @Test func `an export of an account that does not exist leaves no directory`() async throws {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let target = try TemporaryDirectory()
    let exported = try await administer(state, "account", "export", "nobody", target.file("out"))
    #expect(exported.status == 65)
    #expect(exported.error.contains("There is no account “nobody”."))
    #expect(!FileManager.default.fileExists(atPath: target.file("out")))
  }

  @Test(arguments: [(">&-", 74), (">/dev/full", 74), ("2>&-", 0)] as [(String, Int32)])
  func `a list whose stream is closed or full ends with its status`(
    redirection: String, status: Int32
  ) async throws {
    let (broker, _) = try await brokerWithNotes()
    let listing = try RunningProgram(
      "/bin/sh",
      [
        "-c", "\"$0\" account list --state \"$1\" \(redirection)",
        RunningProgram.path(of: "contacts-broker"), broker.directory.file("state"),
      ])
    #expect(try await listing.end() == status)
    #expect(listing.standardError.contains("Cannot write to standard output") == (status != 0))
  }

  @Test func `an account is exported and erased while the broker runs`() async throws {
    var (broker, device) = try await brokerWithNotes()
    let client = try await device.connect(broker)
    let state = broker.directory.file("state")
    let target = try TemporaryDirectory()
    let exported = try await administer(state, "account", "export", "alice", target.file("out"))
    #expect(exported.status == 0, "\(exported.error)")
    #expect(exported.output.contains("3 records"))
    let lines = try String(
      contentsOfFile: target.file("out/account.ndjson"), encoding: .utf8
    ).split(separator: "\n")
    let objects = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(
      objects.compactMap { $0?["kind"] as? String } == ["account", "zone"]
        + Array(repeating: "record", count: 3))
    let fields = objects.last??["fields"] as? [String: [String: String]]
    #expect(fields == ["text": ["string": "hi"]])
    let again = try await administer(state, "account", "export", "alice", target.file("out"))
    #expect(again.status != 0, "nothing is written over")
    let unsure = try await administer(state, "account", "delete", "alice")
    #expect(unsure.status == 64)
    let deleted = try await administer(state, "account", "delete", "alice", "--yes")
    #expect(deleted.status == 0, "\(deleted.error)")
    let goodbye = try await client.first("a goodbye") { frame in
      if case .goodbye(let error) = frame.message { error } else { nil }
    }
    #expect(goodbye.reason == "disabled")
    let checked = try await administer(state, "check")
    #expect(checked.output == "No faults found.\n")
    var other = WireDevice()
    let fresh = try await other.connect(broker)
    #expect(try await fresh.record("a") == nil)
  }

  @Test func `a restored broker begins a new incarnation and resets its devices`() async throws {
    var (broker, device) = try await brokerWithNotes()
    var client = try await device.connect(broker, zones: .fromNothing)
    let (pages, start) = try await client.changesUntilLevel()
    let seen = try #require(pages.last)
    let token = ChangeToken(incarnation: seen.incarnation, revision: seen.to, scanStart: start)
    let backup = try TemporaryDirectory()
    _ = try await administer(broker.directory.file("state"), "backup", backup.path)
    try await broker.kill()
    try FileManager.default.removeItem(atPath: broker.directory.file("state"))
    let restored = try await administer(
      broker.directory.file("state"), "restore", backup.path)
    #expect(restored.status == 0, "\(restored.error)")
    try await broker.restart()

    client = try await device.connect(
      broker, zones: [ZonePosition(zone: .standard, token: token)])
    let reset = try await client.first("a reset") { frame -> RecordsError? in
      if case .reset(_, let error) = frame.message { error } else { nil }
    }
    #expect(reset.code == .changeTokenExpired)
  }

  @Test func `a restore refuses an existing state and a running broker`() async throws {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let backup = try TemporaryDirectory()
    _ = try await administer(state, "backup", backup.path)
    let running = try await administer(state, "restore", backup.path)
    #expect(running.status == 75)
    #expect(running.error.contains("in use"))
    try await broker.kill()
    let before = broker.directory.bytes(of: "state/broker.sqlite")
    let stopped = try await administer(state, "restore", backup.path)
    #expect(stopped.status == 73)
    #expect(stopped.error.contains("already exists"))
    #expect(broker.directory.bytes(of: "state/broker.sqlite") == before)
  }

  @Test func `without a database a command ends with one message and the right exit code`()
    async throws
  {
    let directory = try TemporaryDirectory()
    for verb in ["check", "stats"] {
      let result = try await administer(directory.file("none"), verb)
      #expect(result.status == 77)
      #expect(result.error.contains("no database"))
    }
    let result = try await administer(
      directory.file("none"), "restore", directory.file("no-backup"))
    #expect(result.status == 77)
  }

  /// Stops the broker and does `sql` to its database, or to that of a backup.
  private func damage(_ sql: String, in path: String) async throws {
    let database = try DatabaseQueue(path: path)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  @Test func `backup and restore report a damaged record, and the broker does not serve it`()
    async throws
  {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let backup = try TemporaryDirectory()
    try await damage(
      "UPDATE record SET fields = x'ff' WHERE name = 'b'", in: state + "/broker.sqlite")
    let made = try await administer(state, "backup", backup.path)
    #expect(made.status == 2 && made.output.contains("The record “b”"), "\(made.output)")
    #expect(made.error.contains("1 record versions and 0 files"))
    let other = try TemporaryDirectory()
    let restored = try await administer(other.file("state"), "restore", backup.path)
    #expect(restored.status == 2 && restored.output.contains("The record “b”"))
    let checked = try await administer(other.file("state"), "check")
    #expect(checked.output == "No faults found.\n", "\(checked.output)")
    let second = try await RunningBroker(in: other)
    var reader = WireDevice()
    let reading = try await reader.connect(second, zones: .fromNothing)
    let (pages, _) = try await reading.changesUntilLevel()
    #expect(pages.flatMap(\.changes).map(\.name.text) == ["a", "c"])
  }

  @Test
  func `a backup that is damaged beyond records is refused and does not replace an intact one`()
    async throws
  {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let backup = try TemporaryDirectory()
    #expect(try await administer(state, "backup", backup.path).status == 0)
    let sound = backup.bytes(of: "broker.sqlite")
    var bytes = sound
    for page in stride(from: 4096, to: bytes.count, by: 4096) { bytes[page] ^= 0xFF }
    let damaged = try TemporaryDirectory()
    try damaged.write(bytes, to: "broker.sqlite")
    let again = try await administer(damaged.path, "backup", backup.path)
    #expect(again.status == 65, "\(again.output)")
    #expect(backup.bytes(of: "broker.sqlite") == sound)
    let other = try TemporaryDirectory()
    let restored = try await administer(other.file("state"), "restore", damaged.path)
    #expect(restored.status == 65 && restored.error.contains("damaged"), "\(restored.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.file("state")) == ["lock"])
  }

  @Test func `flipped bits are detected and reported`() async throws {
    let (broker, _) = try await brokerWithNotes()
    // A backup is one file, without a log that could contain intact copies of the pages.
    let backup = try TemporaryDirectory()
    _ = try await administer(broker.directory.file("state"), "backup", backup.path)
    let whole = try await administer(backup.path, "check")
    #expect(whole.status == 0, "\(whole.output)\(whole.error)")
    // Damage every page except the first, which contains the file's header.
    var bytes = backup.bytes(of: "broker.sqlite")
    for page in stride(from: 4096, to: bytes.count, by: 4096) { bytes[page] ^= 0xFF }
    try backup.write(bytes, to: "broker.sqlite")
    let result = try await administer(backup.path, "check")
    #expect(result.status == 65, "\(result.output)")
  }

  @Test func `a record with damaged fields is reported`() async throws {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    broker.program.send(SIGTERM)
    _ = try await broker.program.end()
    let database = try DatabaseQueue(path: "\(state)/broker.sqlite")
    try await database.write { db in
      try db.execute(sql: "UPDATE record SET fields = x'ffffff' WHERE name = 'b'")
    }
    try database.close()
    let result = try await administer(state, "check")
    #expect(result.status == 65)
    #expect(result.output.contains("“b”"))
  }

  @Test func `accounts, devices and counts are listed as text and as JSON`() async throws {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let accounts = try await administer(state, "account", "list")
    #expect(accounts.output.contains("alice"))
    let devices = try await administer(state, "device", "list", "--json")
    #expect(devices.output.hasPrefix(#"{"devices":[{"account":"alice""#))
    let stats = try await administer(state, "stats", "--json")
    #expect(stats.output.contains(#""records":3"#))
  }

  // MARK: Administrative requests

  @Test func `a revoked device is disconnected immediately and cannot reconnect`() async throws {
    var (broker, device) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let client = try await device.connect(broker)
    let id = try #require(device.id)
    let result = try await administer(state, "device", "revoke", "\(id)")
    #expect(result.status == 0, "\(result.error)")
    let goodbye = try await client.first("a goodbye") { frame -> RecordsError? in
      if case .goodbye(let error) = frame.message { error } else { nil }
    }
    #expect(goodbye.reason == "revoked")
    await #expect(throws: (any Error).self) { _ = try await device.connect(broker) }
    let devices = try await administer(state, "device", "list")
    #expect(devices.output.contains("revoked"))
  }

  @Test
  func `K1 a device whose key was rotated is refused immediately and continues with the new key`()
    async throws
  {
    var (broker, device) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let client = try await device.connect(broker)
    let id = try #require(device.id)
    let folder = try TemporaryDirectory()
    let result = try await administer(
      state, "device", "rotate-key", "\(id)", "-o", folder.file("key"))
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("The old key no longer works"))
    let goodbye = try await client.first("a goodbye") { frame -> RecordsError? in
      if case .goodbye(let error) = frame.message { error } else { nil }
    }
    #expect(goodbye.code == .notAuthenticated && goodbye.reason == "wrongKey")
    await #expect(throws: (any Error).self) { _ = try await device.connect(broker) }
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("key"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: folder.file("key"), encoding: .utf8)
    device.key = try DeviceKey(text: text).bytes
    let again = try await device.connect(broker)
    #expect(device.id == id)
    #expect(try await again.record("a") != nil)
    // Without a file name the command prints only the key. It works without a broker too.
    try await broker.kill()
    let printed = try await administer(state, "device", "rotate-key", "\(id)")
    device.key = try DeviceKey(text: printed.output).bytes
    #expect(printed.error.contains("new key"))
    try await broker.restart()
    _ = try await device.connect(broker)
    #expect(device.id == id)
  }

  @Test func `a key that cannot be generated or written changes nothing`() async throws {
    var (broker, device) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    let id = try #require(device.id)
    let nowhere = try await administer(
      state, "device", "rotate-key", "\(id)", "-o", broker.directory.file("none/key"))
    #expect(nowhere.status == 73, "\(nowhere.error)")
    let folder = try TemporaryDirectory()
    let unknown = try await administer(
      state, "device", "rotate-key", String(repeating: "0f", count: 16), "-o", folder.file("key"))
    #expect(unknown.status == 65 && unknown.error.contains("no device"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try await administer(state, "device", "rotate-key", "x").status == 64)
    _ = try await device.connect(broker)
  }

  @Test func `administrative requests work without a broker too, and errors have a message`()
    async throws
  {
    let (broker, _) = try await brokerWithNotes()
    let state = broker.directory.file("state")
    try await broker.kill()
    let added = try await administer(state, "account", "add", "grace", "--uid", "4711")
    #expect(added.status == 0, "\(added.error)")
    let again = try await administer(state, "account", "add", "grace")
    #expect(again.status == 65)
    #expect(again.error.contains("already"))
    let unknown = try await administer(state, "account", "disable", "nobody")
    #expect(unknown.status == 65)
    let clock = try await administer(state, "clock", "confirm")
    #expect(clock.output.contains("All time until now counts"))
    let container = try await administer(state, "container", "add", "photos")
    #expect(container.status == 0)
    let containers = try await administer(state, "container", "list")
    #expect(containers.output.contains("photos"))
    let accounts = try await administer(state, "account", "list")
    #expect(accounts.output.contains("grace"))
  }

  @Test func `the sessions of a disabled account end, those of other accounts continue`()
    async throws
  {
    let broker = try await RunningBroker()
    let state = broker.directory.file("state")
    var one = WireDevice()
    var other = WireDevice(account: "grace")
    let first = try await one.connect(broker)
    let second = try await other.connect(broker)
    let result = try await administer(state, "account", "disable", "alice")
    #expect(result.status == 0, "\(result.error)")
    _ = try await first.first("a goodbye") { frame -> RecordsError? in
      if case .goodbye(let error) = frame.message { error } else { nil }
    }
    try await other.perform(.note("still"), over: second)
    #expect(try await second.record("still") != nil)
  }
}
