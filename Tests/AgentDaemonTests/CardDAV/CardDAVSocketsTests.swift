// The addresses at which CardDAV is served: which passwords each of them accepts, and what happens to a port while the agent
// restarts.

import AgentStore
import ArgumentParser
import DaemonKit
import DeviceStore
import Foundation
import Glibc
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

@Suite("D4, H1 addresses of CardDAV", .timeLimit(.minutes(5)))
struct CardDAVSocketsTests {
  private let directory = "/tmp/dav-\(UUID().uuidString.prefix(8))"

  private func settings(_ addresses: String...) throws -> AgentSettings {
    try AgentSettings(
      try AgentFlags.parse([
        "--state", "/nowhere", "--broker", "/b", "--dav", addresses.joined(separator: ","),
      ]))
  }

  /// Makes a password, and returns the answer.
  private func add(
    _ name: String, _ scope: String?, on agent: RunningAgent
  ) async throws -> RunningAgent.Answer {
    let part = scope.map { #","scope":"\#($0)""# } ?? ""
    return try await agent.ask(.POST, "/v1/dav/passwords", #"{"name":"\#(name)"\#(part)}"#)
  }

  /// The status of a request with a password.
  private func status(_ password: String?, at client: HTTPTestClient) async throws -> UInt {
    let headers = ["Authorization": DAVClient.authorization(password ?? "")]
    return try await client.send(
      HTTPTestRequest(HTTPMethod(rawValue: "PROPFIND"), "/", headers: headers, body: nil)
    ).status.code
  }

  @Test
  func `H1 a password is accepted at the kind of address for which it was made, and at no other`()
    async throws
  {
    let port = try LoopbackPort.unused()
    let path = "\(directory)/dav.sock"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await RunningAgent.with(given: settings("127.0.0.1:\(port)", path)) { agent in
      let near = try await add("near", nil, on: agent)
      let far = try await add("far", "network", on: agent)
      #expect(
        near.json["scope"] as? String == "computer" && far.json["scope"] as? String == "network")
      #expect(near.json["addresses"] as? [String] == ["http://127.0.0.1:\(port)/"])
      #expect(far.json["addresses"] as? [String] == ["unix:\(path)"])
      let places = [
        try HTTPTestClient(origin: "http://127.0.0.1:\(port)"), try HTTPTestClient(socket: path),
      ]
      for (answer, statuses) in [(near, [207, 401]), (far, [401, 207])]
        as [(RunningAgent.Answer, [UInt])]
      {
        for (place, expected) in zip(places, statuses) {
          #expect(try await status(answer.json["password"] as? String, at: place) == expected)
        }
      }
      let list = try await agent.ask(.GET, "/v1/dav").list("passwords")
      #expect(list.map { $0["scope"] as? String } == ["computer", "network"])
    }
  }

  @Test func `a password for an address that is not served is refused`() async throws {
    let port = try LoopbackPort.unused()
    try await RunningAgent.with(given: settings("127.0.0.1:\(port)")) { agent in
      let answer = try await add("phone", "network", on: agent)
      #expect(answer.status == 422 && answer.code == "constraintViolation")
      #expect(try await add("phone", "everywhere", on: agent).status == 400)
    }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await RunningAgent.with(given: settings("\(directory)/dav.sock")) { agent in
      #expect(try await add("near", "computer", on: agent).status == 422)
      let far = try await add("phone", nil, on: agent).json
      #expect(far["scope"] as? String == "network")
    }
  }

  @Test func `an address that another program uses is reported, and the others are served`()
    async throws
  {
    let other = try OtherServer(answer: nil)
    let path = "\(directory)/dav.sock"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await RunningAgent.with(given: settings("127.0.0.1:\(other.port)", path)) { agent in
      let password = try await add("far", nil, on: agent).json["password"] as? String
      #expect(try await status(password, at: HTTPTestClient(socket: path)) == 207)
      let view = try await agent.ask(.GET, "/v1/dav").json
      #expect(view["addresses"] as? [String] == ["unix:\(path)"])
      let problems = try #require(view["problems"] as? [String])
      #expect(problems.count == 1 && problems[0].contains("port \(other.port)"))
    }
    try await RunningAgent.with(given: settings("127.0.0.1:\(other.port)")) { agent in
      let answer = try await add("near", nil, on: agent)
      #expect(answer.status == 503 && "\(answer.json)".contains("\(other.port)"))
    }
  }

  @Test func `H1 a port of this computer stays bound while the agent restarts`() async throws {
    let database = try DeviceDatabase.inMemory()
    let manager = SocketKeeper()
    var first: DAVClient?
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { agent in
      first = try await DAVClient(of: agent)
    }
    let client = try #require(first)
    #expect(manager.names == ["port-\(client.port)"])
    // No other program can listen there meanwhile; a client waits.
    #expect(throws: DaemonError.self) { try LoopbackSocket(port: UInt16(client.port)) }
    let answer = Task { try await client.ask("PROPFIND", "/").status }
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { agent in
      let view = try await agent.ask(.GET, "/v1/dav").json
      #expect(view["addresses"] as? [String] == ["\(client.origin)/"])
      let status = try await answer.value
      #expect(status == 207)
      #expect(try await agent.ask(.DELETE, "/v1/dav/passwords/phone").status == 204)
    }
    // Without a password nothing is served, and nothing is kept.
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { _ in
      try await Patience.wait(until: "the socket to be released") { manager.names.isEmpty }
    }
  }
}
