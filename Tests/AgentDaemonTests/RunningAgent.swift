// An agent as it runs, without a broker: the real server on a real socket over a device in memory,
// asked through HTTP like any client does.

import AgentStore
import Collation
import Contacts
import DaemonKit
import DeviceDriver
import DeviceStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Processes
import Records

@testable import AgentDaemon

/// An agent that answers.
struct RunningAgent: Sendable {
  let socket: String
  let driver: ReplicaDriver

  /// Runs `body` against a new agent with the ten bundled contacts, with `reserve` as its room on the disk, and
  /// with the language of the settings `given`. A `database` of an earlier agent continues it. `editBegins` is called
  /// before each edit. `sockets` are kept while agents restart.
  static func with(
    reserve: DiskReserve? = nil, given: AgentSettings? = nil, database: DeviceDatabase? = nil,
    editBegins: (@Sendable () throws -> Void)? = nil, sockets: KeptSockets = KeptSockets(),
    _ body: (RunningAgent) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "agent-\(UUID().uuidString.prefix(8))"
    ).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let listening = try ListeningSocket.bind(path: "\(directory)/s")
    let settings = DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop")
    let replica = try Replica(
      database: database ?? .inMemory(), settings: settings, bundled: BundledContacts.all(),
      language: given?.language ?? .neutral, generator: SystemRandomNumberGenerator(),
      now: SystemClock.now())
    let group = MultiThreadedEventLoopGroup.singleton
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let files = try DeviceFiles(directory: "\(directory)/assets", logger: logger)
    var hooks = DriverHooks.agent(supervisor: Supervisor())
    if let editBegins { hooks.editBegins = { _ in try editBegins() } }
    let driver = ReplicaDriver(
      replica: replica, files: files,
      environment: DriverEnvironment(
        loop: group.next(), connector: nil, logger: logger, reserve: reserve, hooks: hooks))
    var routes = AgentRoutes(
      driver: driver, settings: settings, logger: logger, sockets: sockets, given: given)
    // A busy machine takes its time.
    routes.drainTimeout = .seconds(60)
    let server = APIServer(
      api: routes,
      socket: listening.descriptor, group: group, logger: logger, supervisor: Supervisor())
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await server.run() }
      try await body(RunningAgent(socket: "\(directory)/s", driver: driver))
      tasks.cancelAll()
    }
    await driver.stop()
    await files.stop()
  }

  /// An answer.
  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let json: [String: Any]

    /// The error's code, where it is one.
    var code: String? { (json["error"] as? [String: Any])?["code"] as? String }
    /// The list under `key`.
    func list(_ key: String) -> [[String: Any]] { json[key] as? [[String: Any]] ?? [] }
  }

  /// Asks and reads the whole answer.
  func ask(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    let response = try await open(method, path, body, headers: headers)
    let bytes = try await response.body.collect(upTo: 16 << 20)
    let json = try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView))
    return Answer(
      status: Int(response.status.code), headers: response.headers,
      json: json as? [String: Any] ?? [:])
  }

  /// Calls and says nothing. A full queue of callers is waited for.
  func connect() async throws -> UnixSocket {
    try await Patience.wait(for: "room in the queue") { try? UnixSocket(path: socket) }
  }

  /// Asks and hands out the answer as it comes.
  func open(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> HTTPTestResponse {
    try await HTTPTestClient(socket: socket).send(
      HTTPTestRequest(method, path, headers: headers, body: body))
  }
}
