// A PostgreSQL server of a test: the real programs, on a folder of their own.

import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server on a Unix socket, and on a port of the loopback interface if the test needs one.
package final class PostgreSQLServer: Sendable {
  /// Why no server can be started on this machine; `nil` if one can.
  package static let obstacle: String? =
    programs == nil
    ? "This machine has no PostgreSQL server (package postgresql); “make postgresql” installs it."
    : nil

  /// The folder of the newest version's programs.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap { Int($0) }.sorted(by: >)
    return newest.map { "\(root)/\($0)/bin" }
      .first { access("\($0)/postgres", X_OK) == 0 && access("\($0)/initdb", X_OK) == 0 }
  }()

  /// The server that all tests of a process share; each test makes a database of its own in it.
  package static func shared() throws -> PostgreSQLServer { try sharedServer.get() }

  private static let sharedServer = Result { try PostgreSQLServer() }

  /// The port of the loopback interface; `nil` if the server has only its socket.
  package let port: Int?
  /// The password of the user `postgres`; `nil` if the server trusts every local user.
  package let password: String?
  private let directory: TemporaryDirectory
  /// The disk of the folder, which must outlive the server.
  private let volume: SmallVolume?
  private let databases = Counter()
  private let settings: [String]

  /// Starts a server.
  /// - Parameters:
  ///   - settings: More lines of its configuration.
  ///   - password: The password that it asks for; `nil` to trust every local user.
  ///   - listens: Whether it also listens on a port of the loopback interface.
  ///   - volume: The disk of its folder; `nil` for that of other temporary files.
  package init(
    settings: [String] = [], password: String? = nil, listens: Bool = false,
    volume: SmallVolume? = nil
  ) throws {
    directory = try volume?.directory ?? TemporaryDirectory()
    self.volume = volume
    self.password = password
    port = listens ? try LoopbackPort.unused() : nil
    self.settings = settings
    if let user = Self.user { chown(directory.path, user.pw_uid, user.pw_gid) }
    try initialize()
    try configure(settings)
    try startOnce()
    try watch()
  }

  /// Starts a standby of a server.
  /// - Parameters:
  ///   - primary: The running server whose databases it copies.
  ///   - proxy: The way on which it gets later changes.
  ///   - settings: More lines of its configuration.
  package init(
    standbyOf primary: PostgreSQLServer, through proxy: CuttingProxy, settings: [String] = []
  ) throws {
    directory = try TemporaryDirectory()
    self.settings = settings
    (volume, password, port) = (nil, nil, nil)
    if let user = Self.user { chown(directory.path, user.pw_uid, user.pw_gid) }
    try follow(primary, through: proxy)
    try watch()
  }

  deinit { signal(SIGQUIT) }

  // MARK: Databases

  /// Makes an empty database. Returns its address.
  package func makeDatabase() throws -> String {
    let name = "d\(databases.next())"
    try run("createdb", ["--host", directory.path, "--username", "postgres", name])
    return address(of: name)
  }

  /// Returns the address of a database on the server's socket.
  package func address(of database: String, user: String = "postgres") -> String {
    let secret = password.map { ":\($0)" } ?? ""
    return "postgresql://\(user)\(secret)@/\(database)?host=\(directory.path)"
  }

  /// The path of the server's socket, which has its port in its name.
  package var socketPath: String { directory.file(Self.socketName) }
  static let socketName = ".s.PGSQL.5432"

  // MARK: Running

  /// Starts the server again after `stop` or `kill`.
  package func start() async throws {
    var reason = ""
    // The processes of a killed server may not all have ended.
    try await Patience.wait(until: "the PostgreSQL server to start: \(reason)") {
      do {
        try startOnce()
        return true
      } catch {
        reason = "\(error)"
        return false
      }
    }
  }

  private func startOnce() throws {
    do {
      try run(
        "pg_ctl",
        ["--pgdata", data, "--log", directory.file("log"), "--timeout", "60", "-w", "start"])
    } catch {
      throw Failure(text: "\(error)\(log)")
    }
  }

  /// Discards what the stopped server has, copies the databases of another one and starts as its standby.
  package func follow(_ primary: PostgreSQLServer, through proxy: CuttingProxy) throws {
    // A killed server leaves its lock, and its process may remain in the table of processes.
    try execute(["/bin/rm", "-rf", data, "\(socketPath).lock"])
    try run(
      "pg_basebackup",
      [
        "--pgdata", data, "--host", primary.directory.path, "--username", "postgres", "--no-sync",
        "--checkpoint", "fast",
      ])
    try execute(["/bin/sed", "-i", "/^include /d", "\(data)/postgresql.conf"])
    try includeConfiguration()
    let source = "host=\(proxy.folder) user=postgres"
    try configure(settings + ["primary_conninfo = '\(source)'"])
    try directory.write([], to: "data/standby.signal")
    try startOnce()
  }

  /// Starts the stopped server as a standby without a primary server: it is read-only until `promote`.
  package func startAsStandby() async throws {
    try directory.write([], to: "data/standby.signal")
    try await start()
  }

  /// Makes a standby a server that can be written.
  package func promote() throws {
    try run("pg_ctl", ["--pgdata", data, "-w", "promote"])
  }

  /// Stops the server, which ends its connections.
  package func stop() throws {
    try run("pg_ctl", ["--pgdata", data, "--mode", "fast", "-w", "stop"])
  }

  /// Kills the server (SIGKILL), as a power cut would, and waits until it is gone.
  package func kill() async throws {
    guard let process else { return }
    signal(SIGKILL)
    try await Patience.wait(until: "the PostgreSQL server to end") { !Self.isRunning(process) }
  }

  /// Whether the server's first process runs.
  package var isRunning: Bool { process.map(Self.isRunning) ?? false }

  /// A process that has ended may remain in the table of processes until its parent asks for its status.
  private static func isRunning(_ process: pid_t) -> Bool {
    guard let status = FileManager.default.contents(atPath: "/proc/\(process)/status") else {
      return false
    }
    return !String(decoding: status, as: UTF8.self).contains("State:\tZ")
  }

  /// The server's log so far.
  package var log: String { String(decoding: directory.bytes(of: "log"), as: UTF8.self) }

  private var data: String { directory.file("data") }

  private func signal(_ signal: Int32) {
    if let process { Glibc.kill(process, signal) }
  }

  /// The server's first process; `nil` if it is not running.
  private var process: pid_t? {
    let text = String(decoding: directory.bytes(of: "data/postmaster.pid"), as: UTF8.self)
    return text.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  // MARK: Setting up

  private func initialize() throws {
    var arguments = [
      "--pgdata", data, "--username", "postgres", "--encoding", "UTF8", "--locale", "C.UTF-8",
      "--no-sync", "--auth", password == nil ? "trust" : "scram-sha-256",
    ]
    if let password {
      try directory.write(Array(password.utf8), to: "password")
      arguments += ["--pwfile", directory.file("password")]
    }
    try run("initdb", arguments)
    try includeConfiguration()
  }

  private func includeConfiguration() throws {
    try execute(
      [
        "/bin/sh", "-c", "echo \"include '$0'\" >> \"$1/postgresql.conf\"",
        directory.file("more.conf"), data,
      ])
  }

  private func configure(_ settings: [String]) throws {
    let lines = [
      "unix_socket_directories = '\(directory.path)'",
      "listen_addresses = '\(port == nil ? "" : "127.0.0.1")'", "port = \(port ?? 5432)",
      "shared_buffers = 32MB", "max_wal_size = 128MB",
    ]
    let text = (lines + settings).joined(separator: "\n") + "\n"
    try directory.write(Array(text.utf8), to: "more.conf")
  }

  /// Ends the server and deletes its folder once the test's process has ended, in whatever way.
  private func watch() throws {
    let program = """
      cd /
      (
        while kill -0 \(getpid()); do sleep 1; done
        kill -QUIT $(head -n 1 '\(data)/postmaster.pid')
        sleep 2
        rm -rf '\(directory.path)'
      ) </dev/null >/dev/null 2>&1 &
      """
    let shell = try RunningProgram("/bin/sh", ["-c", program])
    _ = shell.waitUntilEnd()
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    guard let programs = Self.programs else { throw Failure(text: Self.obstacle ?? "") }
    try execute(["\(programs)/\(program)"] + arguments)
  }

  /// Runs a program as the user of the server, which must not be root.
  private func execute(_ command: [String]) throws {
    let all =
      Self.user == nil ? command : ["/usr/sbin/runuser", "-u", "postgres", "--"] + command
    let program = try RunningProgram(
      all[0], Array(all.dropFirst()),
      environment: ["PGPASSWORD": password ?? "", "LC_ALL": "C.UTF-8"])
    guard program.waitUntilEnd() == 0 else {
      throw Failure(text: "\(command[0]): \(program.standardError)\(program.standardOutput)")
    }
  }

  /// The user that the server runs as if the test runs as root.
  private static var user: passwd? {
    getuid() == 0 ? getpwnam("postgres")?.pointee : nil
  }

  /// Why a server does not start.
  package struct Failure: Error, CustomStringConvertible {
    /// What its program printed.
    let text: String

    package var description: String { text }
  }
}

/// Numbers the databases of a server.
private final class Counter: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}
