// A CardDAV client of a running agent, and answers as it reads them.

import CardDAV
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

/// A client with an app password.
struct DAVClient: Sendable {
  /// The address of the standard book.
  static let book = "/books/contacts/"
  /// The body of a PROPFIND or a REPORT declares these.
  static let namespaces =
    #"xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/""#

  /// The address without a path.
  let origin: String
  /// The app password.
  let password: String

  /// Makes an app password on `agent`.
  init(of agent: RunningAgent, named name: String = "phone") async throws {
    let answer = try await agent.ask(.POST, "/v1/dav/passwords", #"{"name":"\#(name)"}"#)
    try #require(answer.status == 201)
    password = try #require(answer.json["password"] as? String)
    let address = try #require((answer.json["addresses"] as? [String])?.first)
    origin = String(address.dropLast())
  }

  /// The port of the listener.
  var port: Int { origin.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// The header with the password.
  var authorization: String { Self.authorization(password) }

  static func authorization(_ password: String) -> String {
    "Basic \(Data("ada:\(password)".utf8).base64EncodedString())"
  }

  // MARK: Requests

  /// Sends a request, and reads the whole answer.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> DAVAnswer {
    let all = ["Authorization": authorization].merging(headers) { $1 }
    return try await send(
      HTTPTestRequest(
        HTTPMethod(rawValue: method), path, headers: all.filter { !$0.value.isEmpty }, body: body))
  }

  private func send(_ request: HTTPTestRequest) async throws -> DAVAnswer {
    let response = try await HTTPTestClient(origin: origin).send(request)
    let bytes = try await response.body.collect(upTo: 64 << 20)
    return DAVAnswer(
      status: Int(response.status.code), headers: response.headers,
      bytes: Array(bytes.readableBytesView))
  }

  /// Asks for properties, each named with its prefix: `displayname`, `C:addressbook-home-set`.
  func properties(
    _ names: [String], of path: String, depth: String = "0", _ headers: [String: String] = [:]
  ) async throws -> DAVAnswer {
    let list = names.map { "<\($0)/>" }.joined()
    return try await ask(
      "PROPFIND", path, "<propfind \(Self.namespaces)><prop>\(list)</prop></propfind>",
      ["Depth": depth].merging(headers) { $1 })
  }

  /// Asks for cards by their addresses.
  func multiget(
    _ addresses: [String], in book: String = Self.book, data: String = "<C:address-data/>"
  ) async throws -> DAVAnswer {
    let list = addresses.map { "<href>\($0)</href>" }.joined()
    return try await ask(
      "REPORT", book,
      """
      <C:addressbook-multiget \(Self.namespaces)><prop><getetag/>\(data)</prop>\(list)\
      </C:addressbook-multiget>
      """)
  }

  /// Asks for the cards that meet a condition.
  func query(_ filter: String, limit: Int? = nil) async throws -> DAVAnswer {
    let limit = limit.map { "<C:limit><C:nresults>\($0)</C:nresults></C:limit>" } ?? ""
    return try await ask(
      "REPORT", Self.book,
      """
      <C:addressbook-query \(Self.namespaces)><prop><getetag/></prop>\(filter)\(limit)\
      </C:addressbook-query>
      """)
  }

  /// Asks for the changes since a token.
  func changes(
    since token: String = "", limit: Int? = nil, in book: String = Self.book,
    headers: [String: String] = [:]
  ) async throws -> DAVAnswer {
    let limit = limit.map { "<limit><nresults>\($0)</nresults></limit>" } ?? ""
    return try await ask(
      "REPORT", book,
      """
      <sync-collection \(Self.namespaces)><sync-token>\(token)</sync-token>\
      <sync-level>1</sync-level>\(limit)<prop><getetag/></prop></sync-collection>
      """, headers)
  }

  /// Stores a card.
  func put(
    _ card: String, _ path: String, _ headers: [String: String] = [:]
  ) async throws -> DAVAnswer {
    try await ask("PUT", path, card, ["Content-Type": "text/vcard"].merging(headers) { $1 })
  }

  /// Stores a card of any bytes.
  func put(bytes: [UInt8], _ path: String) async throws -> DAVAnswer {
    let headers = ["Authorization": authorization, "Content-Type": "text/vcard"]
    return try await send(HTTPTestRequest(.PUT, path, headers: headers, bytes: bytes))
  }

  // MARK: Cards

  /// A card.
  static func card(
    _ uid: String, _ name: String, _ lines: [String] = [], version: String = "3.0"
  ) -> String {
    let all =
      ["BEGIN:VCARD", "VERSION:\(version)", "UID:\(uid)", "FN:\(name)", "N:\(name);;;;"] + lines
    return (all + ["END:VCARD", ""]).joined(separator: "\r\n")
  }
}

/// An answer of the CardDAV server.
struct DAVAnswer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let bytes: [UInt8]

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var tag: String? { headers.first(name: "etag") }

  /// The document.
  var tree: XMLTree { get throws { try XMLTree(document: bytes) } }

  /// The condition of an error; `nil` if it has none.
  var condition: XMLTree? {
    guard let tree = try? tree, tree.name == .dav("error") else { return nil }
    return tree.children.first { $0.name != .dav("responsedescription") }
  }

  /// The resources of a multistatus.
  var responses: [XMLTree] { get throws { try tree.all(.dav("response")) } }

  /// The addresses of the resources, in order.
  var addresses: [String] {
    get throws { try responses.map { $0[.dav("href")]?.text ?? "" } }
  }

  /// The addresses of the resources with properties, without those of collections, sorted.
  var cards: [String] {
    get throws {
      try responses.filter { $0[.dav("status")] == nil }.compactMap { $0[.dav("href")]?.text }
        .filter { !$0.hasSuffix("/") }.sorted()
    }
  }

  /// The token at the end of a report.
  var token: String { get throws { try tree[.dav("sync-token")]?.text ?? "" } }

  /// The status of a resource that has no properties.
  func status(of address: String) throws -> String? {
    try responses.first { $0[.dav("href")]?.text == address }?[.dav("status")]?.text
  }

  /// A property of a resource, with its status.
  func property(
    _ name: XMLName, of address: String, status: String = "HTTP/1.1 200 OK"
  ) throws -> XMLTree? {
    let response = try responses.first { $0[.dav("href")]?.text == address }
    let part = response?.all(.dav("propstat")).first {
      $0[.dav("status")]?.text == status && $0[.dav("prop")]?[name] != nil
    }
    return part?[.dav("prop")]?[name]
  }
}

/// A connection without a protocol, for what no proper client sends.
final class RawCaller: Sendable {
  private let descriptor: Int32

  init(to client: DAVClient) throws {
    descriptor = try LoopbackPort.connect(to: client.port)
  }

  deinit { close(descriptor) }

  /// Sends bytes, as far as the server reads them.
  /// - Returns: whether it has read all.
  @discardableResult
  func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) async throws -> Bool {
    var rest = bytes[...]
    return try await Patience.wait(for: "the server to read") { () -> Bool? in
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(
            descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR ? nil : false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Receives until `isEnough`, or the end.
  func receive(until isEnough: (String) -> Bool = { _ in false }) async throws -> String {
    var all: [UInt8] = []
    return try await Patience.wait(for: "the server's answer") { () -> String? in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        if count > 0 { all += buffer.prefix(count) }
        let text = String(decoding: all, as: UTF8.self)
        if count <= 0 || isEnough(text) { return text }
      }
    }
  }

  /// Hangs up without a farewell: the other side gets a reset.
  func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Ends the sending direction.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a request on a connection of its own, and returns the answer.
  static func ask(
    _ client: DAVClient, _ line: String, _ headers: [String] = [], body: String = ""
  ) async throws -> String {
    let caller = try RawCaller(to: client)
    let all =
      [
        "\(line) HTTP/1.1", "Host: 127.0.0.1:\(client.port)", "Connection: close",
        "Content-Length: \(body.utf8.count)",
      ] + headers + ["", body]
    try await caller.send(all.joined(separator: "\r\n"))
    return try await caller.receive()
  }
}
