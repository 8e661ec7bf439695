import Foundation
import GRDB
import Processes
import Records
import RecordsWire
import Testing

@Suite("start and stop of contacts-broker", .timeLimit(.minutes(5)))
struct StartTests {
  @Test func `a socket in use is not replaced, with one message and 73`() async throws {
    let broker = try await RunningBroker()
    let other = try TemporaryDirectory()
    try await expectEnd(
      73, saying: "in use", ["--state", other.file("state"), "--socket", broker.socketPath])
    _ = try await WireClient(broker).welcome(WireDevice().hello())
  }

  @Test func `a file that is not a socket is not replaced, with one message and 73`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("mine".utf8), to: "b.sock")
    try await expectEnd(73, saying: "not a socket", RunningBroker.arguments(in: directory))
    #expect(directory.bytes(of: "b.sock") == Array("mine".utf8))
  }

  @Test func `a state directory in use is reported with the process that holds it, and 75`()
    async throws
  {
    let broker = try await RunningBroker()
    let other = try TemporaryDirectory()
    try await expectEnd(
      75, saying: "in use",
      ["--state", broker.directory.file("state"), "--socket", other.file("b.sock")])
  }

  @Test(arguments: ["not a database, but long enough to look like one".utf8.map { $0 }, pages])
  func `a file that is not a broker's database stays unchanged, with one message and 65`(
    bytes: [UInt8]
  ) async throws {
    let directory = try TemporaryDirectory()
    try directory.write(bytes, to: "state/broker.sqlite")
    try await expectEnd(65, saying: "broker.sqlite", RunningBroker.arguments(in: directory))
    #expect(directory.bytes(of: "state/broker.sqlite") == bytes)
  }

  /// Several pages of random bytes.
  private static let pages = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }

  @Test func `another program's database stays unchanged, with one message and 65`() async throws {
    let directory = try TemporaryDirectory()
    let broker = try await RunningBroker(in: directory)
    try await stop(broker)
    // The application_id of another program in the header.
    var bytes = directory.bytes(of: "state/broker.sqlite")
    bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    try directory.write(bytes, to: "state/broker.sqlite")
    try await expectEnd(65, saying: "broker.sqlite", RunningBroker.arguments(in: directory))
    #expect(directory.bytes(of: "state/broker.sqlite") == bytes)
  }

  @Test func `a database of another version stays as it is, with one message`() async throws {
    let directory = try TemporaryDirectory()
    let broker = try await RunningBroker(in: directory)
    try await stop(broker)
    let queue = try DatabaseQueue(path: directory.file("state/broker.sqlite"))
    try await queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later version')")
    }
    try queue.close()
    let bytes = directory.bytes(of: "state/broker.sqlite")
    try await expectEnd(65, saying: "another version", RunningBroker.arguments(in: directory))
    #expect(directory.bytes(of: "state/broker.sqlite") == bytes)
  }

  @Test func `a state directory without permission is reported, with 77`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "state/file")
    chmod(directory.file("state"), 0)
    let arguments = RunningBroker.arguments(in: directory)
    if getuid() == 0 {
      // Root can read everything, so the broker runs as another user.
      let broker = try directory.copyOfBroker()
      try await expectEnd(
        77, saying: directory.file("state"),
        ["--reuid=12345", "--clear-groups", broker] + arguments,
        of: "/usr/bin/setpriv")
    } else {
      try await expectEnd(77, saying: directory.file("state"), arguments)
    }
    chmod(directory.file("state"), 0o700)
  }

  @Test func `an unknown flag is reported with the nearest usage, and 64`() async throws {
    let program = try RunningProgram("contacts-broker", ["--sockets", "x"])
    #expect(try await program.end() == 64)
    #expect(program.standardError.contains("--sockets"))
  }

  @Test func `an unknown setting is reported by its name, with 78`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("acounts = open\n".utf8), to: "broker.conf")
    let arguments = ["--config", directory.file("broker.conf"), "--check-config"]
    try await expectEnd(78, saying: "acounts", arguments)
  }

  @Test func `I18 a quota below an account's initial records is refused, with 78`() async throws {
    let directory = try TemporaryDirectory()
    for text in ["0", "99", "many"] {
      try directory.write(Array("recordsPerAccount = \(text)\n".utf8), to: "broker.conf")
      let arguments = ["--config", directory.file("broker.conf"), "--check-config"]
      try await expectEnd(78, saying: "expected a whole number, 100 or more", arguments)
    }
  }

  @Test func `checking the settings changes no file`() async throws {
    let directory = try TemporaryDirectory()
    let program = try RunningProgram(
      "contacts-broker", RunningBroker.arguments(in: directory) + ["--check-config"])
    #expect(try await program.end() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func `a socket path that is too long is reported, with 78`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file(String(repeating: "s", count: 120))
    try await expectEnd(78, saying: "--socket", ["--state", directory.path, "--socket", path])
  }

  @Test func `asked to stop, the broker says goodbye, removes its socket and exits with 0`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let silent = try WireClient(broker)
    try await device.perform(.note("a"), over: client)
    try await stop(broker)
    #expect(try await client.rest().last?.errorCode == .serviceUnavailable)
    silent.close()
    #expect(!FileManager.default.fileExists(atPath: broker.socketPath))
  }

  @Test func `asked to stop under load, the broker exits with 0 and retains acknowledged writes`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    for index in 0..<200 {
      try await client.send(.modify(device.request([.note("n\(index)")])))
      if index == 100 { broker.program.send(SIGTERM) }
    }
    #expect(try await broker.program.end(within: .seconds(20)) == 0)
    #expect(broker.directory.bytes(of: "state/broker.sqlite-wal").isEmpty)
    let acknowledged = try await client.rest().reduce(0) { count, frame in
      if case .outcome = frame.message { count + 1 } else { count }
    }
    try await broker.restart()
    let welcome = try await WireClient(broker).welcome(device.hello())
    #expect(welcome.lastNumber.value >= Int64(acknowledged))
  }

  private func stop(_ broker: RunningBroker) async throws {
    broker.program.send(SIGTERM)
    #expect(try await broker.program.end(within: .seconds(20)) == 0)
  }

  /// Expects that a program exits with this status and one line that contains `text`.
  private func expectEnd(
    _ status: Int32, saying text: String, _ arguments: [String], of name: String = "contacts-broker"
  ) async throws {
    let program = try RunningProgram(name, arguments)
    #expect(try await program.end() == status)
    let output = program.standardError
    #expect(output.contains(text))
    #expect(output.split(separator: "\n").count == 1, "It printed: \(output)")
  }
}

extension TemporaryDirectory {
  /// Copies the broker's program to a path where any user can run it.
  fileprivate func copyOfBroker() throws -> String {
    let path = file("contacts-broker")
    let original = RunningProgram.path(of: "contacts")
    do {
      // Not a copy where possible: while one is written, a process that another test starts holds it open,
      // and an open file cannot be executed.
      try FileManager.default.linkItem(atPath: original, toPath: path)
    } catch {
      try FileManager.default.copyItem(atPath: original, toPath: path)
    }
    return path
  }
}
