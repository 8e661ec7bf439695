// The web page as its script uses the agent, and as other programs try to.

import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

/// A page that was opened with a link.
struct WebPage: Sendable {
  /// The address without a path.
  let origin: String
  /// The token of the link.
  let link: String
  /// The token of the session.
  private(set) var token = ""
  /// The cookie for pictures, as a browser sends it.
  private(set) var cookie = ""
  /// The attributes of the cookie.
  private(set) var cookieAttributes: [String] = []

  /// Makes a link to the page of `agent`, without using it.
  init(linkOf agent: RunningAgent) async throws {
    let answer = try await agent.ask(.POST, "/v1/web/open")
    #expect(answer.json["seconds"] as? Int == 60)
    let parts = try #require(answer.json["link"] as? String).split(separator: "#")
    try #require(parts.count == 2 && parts[0].hasSuffix("/"))
    origin = String(parts[0].dropLast())
    link = String(parts[1])
  }

  /// Opens the page of `agent`.
  init(of agent: RunningAgent) async throws {
    try await self.init(linkOf: agent)
    let answer = try await begin()
    token = try #require(answer.json["token"] as? String)
    let parts = try #require(answer.headers.first(name: "set-cookie")).split(separator: ";")
    cookie = String(try #require(parts.first))
    cookieAttributes = parts.dropFirst().map { $0.drop { $0 == " " } }.map(String.init)
  }

  /// The address of the listener, without the port.
  var host: String {
    origin.split(separator: "/").last?.split(separator: ":").first.map(String.init) ?? ""
  }

  /// The port of the listener.
  var port: Int { origin.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// Exchanges the link's token for a session.
  func begin(headers: [String: String] = [:]) async throws -> RunningAgent.Answer {
    try await send(.POST, "/web/session", #"{"token":"\#(link)"}"#, headers)
  }

  /// The proof of this page's agent, computed as the page does it.
  func proof(_ nonce: String) -> String {
    WebToken.Digest(of: token).proof(of: "\(origin) \(nonce)")
  }

  /// Asks with the session's token, and reads the whole answer.
  func ask(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) async throws -> RunningAgent.Answer {
    try await send(
      method, path, body, headers.merging(["X-Contacts-Token": token]) { given, _ in given })
  }

  /// Sends a request as it is, and reads the whole answer.
  func send(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> RunningAgent.Answer {
    let response = try await open(method, path, body, headers)
    let bytes = try await response.body.collect(upTo: 16 << 20)
    let json = try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView))
    return RunningAgent.Answer(
      status: Int(response.status.code), headers: response.headers,
      json: json as? [String: Any] ?? [:])
  }

  /// Sends a request as it is, and returns the answer as it comes.
  func open(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> HTTPTestResponse {
    try await HTTPTestClient(origin: origin).send(
      HTTPTestRequest(method, path, headers: headers, body: body))
  }
}
