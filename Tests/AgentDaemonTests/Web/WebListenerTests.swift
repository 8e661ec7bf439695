// The web page's listener on a real port, asked by the page, by other pages and by another user.

import AgentStore
import DaemonKit
import DeviceDriver
import DeviceStore
import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import Processes
import Records
import Testing

@testable import AgentDaemon

@Suite("W1, W5 listener of the web page", .timeLimit(.minutes(5)))
struct WebListenerTests {
  @Test func `all links of an agent lead to the same address, which is drawn`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      let again = try await WebPage(linkOf: agent)
      #expect(again.origin == page.origin)
      #expect(page.host.hasPrefix("127.") && !page.host.hasPrefix("127.0."))
    }
  }

  @Test func `a page begins a session with its link and uses the agent`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      #expect(Set(page.cookieAttributes) == ["Path=/v1/", "HttpOnly", "SameSite=Strict"])
      #expect(page.cookie.hasPrefix("contacts-pictures-\(page.port)="))
      #expect(try await page.ask(.GET, "/v1/contacts").list("contacts").count == 10)
      let made = try await page.ask(
        .POST, "/v1/contacts", #"{"firstName":"Amy"}"#,
        headers: ["Origin": page.origin, "Sec-Fetch-Site": "same-origin"])
      #expect(made.status == 201)
      let id = try #require(made.json["id"] as? String)
      #expect(try await agent.ask(.GET, "/v1/contacts/\(id)").status == 200)
      #expect(try await page.ask(.DELETE, "/v1/contacts/\(id)").status == 204)
    }
  }

  @Test func `a link works once, and a wrong token never`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let again = try await page.begin()
      #expect(again.status == 401)
      #expect((again.json["error"] as? [String: Any])?["reason"] as? String == "linkExpired")
      for body in [#"{"token":""}"#, #"{"token":"\#(page.token)"}"#] {
        #expect(try await page.send(.POST, "/web/session", body).status == 401)
      }
      for body in ["", "{}", "x", #"{"token":1}"#] {
        #expect(try await page.send(.POST, "/web/session", body).status == 400)
      }
      let long = #"{"token":"\#(String(repeating: "0", count: 4096))"}"#
      #expect(try await page.send(.POST, "/web/session", long).status == 413)
    }
  }

  @Test func `without the token there is only an error in JSON`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      for headers in [[:], ["X-Contacts-Token": page.link], ["Cookie": page.cookie]] {
        for path in ["/v1/contacts", "/v1/events/all", "/v1/status", "/v1/x"] {
          let answer = try await page.send(.GET, path, nil, headers)
          #expect(answer.status == 401)
          #expect((answer.json["error"] as? [String: Any])?["reason"] as? String == "sessionEnded")
        }
      }
    }
  }

  @Test func `the cookie opens the photo of a contact`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let contacts = try await page.ask(.GET, "/v1/contacts").list("contacts")
      let id = try #require(contacts.first?["id"] as? String)
      // The contact has none: the agent's route has answered.
      let path = "/v1/contacts/\(id)/photo"
      let cookies = "other=1; \(page.cookie); last=2"
      #expect(try await page.send(.GET, path, nil, ["Cookie": cookies]).status == 404)
      #expect(try await page.send(.DELETE, path, nil, ["Cookie": page.cookie]).status == 401)
    }
  }

  @Test func `other names, sites and origins get nothing`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let other = ["X-Contacts-Token": page.token, "Cookie": page.cookie]
      for (name, value, status) in [
        ("Host", "rebound.example:\(page.port)", 421), ("Host", "localhost:\(page.port)", 421),
        ("Host", page.host, 421), ("Host", "127.0.0.1:\(page.port)", 421),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Sec-Fetch-Site", "cross-site", 403), ("Origin", "http://127.0.0.1:1", 403),
        ("Origin", "null", 403), ("Origin", "https://evil.example", 403),
      ] {
        for path in ["/", "/v1/contacts", "/v1/contacts/bundled-1-01/photo"] {
          let answer = try await page.send(.GET, path, nil, other.merging([name: value]) { $1 })
          #expect(answer.status == status, "\(name): \(value)")
          #expect(answer.json["contacts"] == nil)
        }
      }
      let link = try await WebPage(linkOf: agent)
      #expect(try await link.begin(headers: ["Origin": "http://localhost"]).status == 403)
      #expect(try await link.begin().status == 200)
    }
  }

  @Test func `what the page cannot do is refused by the listener`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      for (method, path) in [
        (HTTPMethod.GET, "/v1/settings"), (.PUT, "/v1/settings/album"), (.POST, "/v1/web/open"),
        (.POST, "/v1/subscriptions"), (.POST, "/v1/signout"), (.GET, "//v1/subscriptions"),
        (.OPTIONS, "/v1/contacts"),
      ] {
        let answer = try await page.ask(method, path, #"{"value":"/tmp"}"#)
        #expect(answer.status == 403, "\(method) \(path)")
        #expect(answer.headers.first(name: "access-control-allow-origin") == nil)
      }
      #expect(try await page.ask(.PUT, "/v1/settings/sort", #"{"value":"first"}"#).status == 200)
      #expect(try await agent.ask(.GET, "/v1/web/open").status == 405)
    }
  }

  @Test func `every answer forbids foreign content, frames and guesses`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      for path in ["/", "/unknown", "/v1/contacts", "/v1/unknown"] {
        let headers = try await page.ask(.GET, path).headers
        let policy = try #require(headers.first(name: "content-security-policy"))
        for rule in [
          "default-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ] { #expect(policy.contains(rule)) }
        #expect(!policy.contains("unsafe"))
        #expect(headers.first(name: "x-content-type-options") == "nosniff")
        #expect(headers.first(name: "referrer-policy") == "no-referrer")
        #expect(headers.first(name: "x-frame-options") == "DENY")
      }
    }
  }

  @Test func `the stream of events comes through, and ends with the agent`() async throws {
    var rest: HTTPTestBody.AsyncIterator?
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let stream = try await page.open(
        .GET, "/v1/events/all", nil, ["X-Contacts-Token": page.token])
      #expect(stream.headers.first(name: "content-type") == "text/event-stream")
      #expect(stream.headers.first(name: "content-security-policy") == WebHeaders.policy)
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Zora"}"#)
      let parts = stream.body.makeAsyncIterator()
      var text = ""
      while !text.contains("event: status") || !text.contains("event: change"),
        let part = try await parts.next()
      { text += String(buffer: part) }
      #expect(text.contains("event: change"))
      rest = parts
    }
    // The end of the response, not of the connection: nothing is thrown.
    while try await rest?.next() != nil {}
  }

  @Test func `callers beyond the limit are turned away`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      let callers = try (0..<WebListener.connectionsMaximum + 5).map { _ in
        try LoopbackPort.connect(to: page.port, at: page.host)
      }
      defer { for caller in callers { close(caller) } }
      try await Patience.wait(until: "callers to be turned away") {
        callers.count { Self.isClosed($0) } == 5
      }
    }
  }

  @Test func `too long headers are refused`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(linkOf: agent)
      let caller = try LoopbackPort.connect(to: page.port, at: page.host)
      defer { close(caller) }
      let name = String(repeating: "x", count: 40_000)
      let text = Array(
        "GET / HTTP/1.1\r\nHost: \(page.host):\(page.port)\r\nA: \(name)\r\n\r\n".utf8)
      _ = send(caller, text, text.count, Int32(MSG_NOSIGNAL))
      var bytes = [UInt8](repeating: 0, count: 64)
      try await Patience.wait(until: "the answer") {
        recv(caller, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0
      }
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
    }
  }

  // MARK: Proofs

  @Test func `H1 the agent proves to a page that it is its agent, without the page's token`()
    async throws
  {
    let database = try DeviceDatabase.inMemory()
    var first: WebPage?
    let nonce = String(repeating: "0a", count: 32)
    try await RunningAgent.with(database: database) { agent in
      let page = try await WebPage(of: agent)
      let other = try await WebPage(of: agent)
      let answer = try await page.send(.POST, "/web/proof", #"{"nonce":"\#(nonce)"}"#)
      let proofs = try #require(answer.json["proofs"] as? [String])
      #expect(proofs.count == 2 && Set(proofs) == [page.proof(nonce), other.proof(nonce)])
      #expect(!proofs.contains(page.proof(nonce.uppercased())))
      for body in ["{}", #"{"nonce":""}"#, #"{"nonce":"\#(nonce)0"}"#] {
        #expect(try await page.send(.POST, "/web/proof", body).status == 400)
      }
      let foreign = ["Origin": "http://127.0.0.1:1"]
      let body = #"{"nonce":"\#(nonce)"}"#
      #expect(try await page.send(.POST, "/web/proof", body, foreign).status == 403)
      #expect(try await page.send(.GET, "/web/proof").status == 405)
      first = page
    }
    // The restart has ended the session, and nothing answers at its address.
    let page = try #require(first)
    try await RunningAgent.with(database: database) { agent in
      let next = try await WebPage(of: agent)
      let answer = try await next.send(.POST, "/web/proof", #"{"nonce":"\#(nonce)"}"#)
      #expect(answer.json["proofs"] as? [String] == [next.proof(nonce)])
      #expect(!Self.answers(at: page))
    }
  }

  // MARK: Another user

  @Test(.enabled(if: getuid() == 0, "Only root can become another user."))
  func `H1 another user of the machine gets not a byte, even with the token`() async throws {
    try await RunningAgent.with { agent in
      let page = try await WebPage(of: agent)
      let request = [
        "--silent", "--show-error", "--max-time", "60", "--write-out", "%{http_code}",
        "--header", "X-Contacts-Token: \(page.token)", "\(page.origin)/v1/contacts",
      ]
      for user in ["65534", "12345"] {
        let arguments = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/curl"]
        let other = try RunningProgram("/usr/bin/setpriv", arguments + request)
        #expect(try await other.end() != 0)
        #expect(other.standardOutput == "000", "\(other.standardError)")
      }
      let own = try RunningProgram("/usr/bin/curl", request)
      #expect(try await own.end() == 0)
      #expect(own.standardOutput.hasSuffix("200"))
    }
  }

  // MARK: Restarts

  @Test
  func
    `H1 a restart without the socket gives a new address, and the former token is worth nothing`()
    async throws
  {
    let database = try DeviceDatabase.inMemory()
    var former: [WebPage] = []
    for _ in 0..<3 {
      try await RunningAgent.with(database: database) { agent in
        let page = try await WebPage(of: agent)
        for other in former {
          #expect(page.host != other.host && !Self.answers(at: other))
          let headers = ["X-Contacts-Token": other.token, "Cookie": other.cookie]
          #expect(try await page.send(.GET, "/v1/contacts", nil, headers).status == 401)
          #expect(
            try await page.send(.GET, "/v1/contacts", nil, ["Host": "\(other.host):\(other.port)"])
              .status == 421)
        }
        former.append(page)
      }
    }
  }

  @Test func `R6 a session continues where the service manager has kept the socket`() async throws {
    let database = try DeviceDatabase.inMemory()
    let manager = SocketKeeper()
    var first: WebPage?
    try await RunningAgent.with(database: database, sockets: manager.sockets()) {
      first = try await WebPage(of: $0)
    }
    let page = try #require(first)
    // A connection waits until the next agent accepts it.
    let waiting = try LoopbackPort.connect(to: page.port, at: page.host)
    defer { close(waiting) }
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { agent in
      try await Patience.wait(until: "the page to be served") {
        (try? await page.ask(.GET, "/v1/status").status) == 200
      }
      #expect(try await WebPage(linkOf: agent).origin == page.origin)
      #expect(try await page.begin().status == 401)
      #expect(try await agent.ask(.POST, "/v1/web/open").status == 200)
    }
    #expect(manager.names == ["page"])
  }

  @Test func `a session of another socket does not continue, also where it is passed`() async throws
  {
    let database = try DeviceDatabase.inMemory()
    var first: WebPage?
    try await RunningAgent.with(database: database) { first = try await WebPage(of: $0) }
    let page = try #require(first)
    // The same address, but another socket.
    let address = try #require(LoopbackAddress(UInt32(bigEndian: inet_addr(page.host))))
    let socket = try LoopbackSocket(address: address, port: UInt16(page.port))
    try await RunningAgent.with(database: database, sockets: KeptSockets(["page": socket])) { _ in
      try await Patience.wait(until: "the page to be served") {
        (try? await page.send(.GET, "/").status) == 200
      }
      #expect(try await page.ask(.GET, "/v1/status").status == 401)
    }
  }

  @Test func `the sessions of all pages end when the account is signed out`() async throws {
    let database = try DeviceDatabase.inMemory()
    let manager = SocketKeeper()
    var first: WebPage?
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { agent in
      let page = try await WebPage(of: agent)
      let link = try await WebPage(linkOf: agent)
      #expect(try await agent.ask(.POST, "/v1/signout", #"{"discard":true}"#).status == 204)
      #expect(try await page.ask(.GET, "/v1/status").status == 401)
      #expect(try await link.begin().status == 401)
      first = page
    }
    let page = try #require(first)
    try await RunningAgent.with(database: database, sockets: manager.sockets()) { _ in
      try await Patience.wait(until: "the page to be served") {
        (try? await page.send(.GET, "/").status) == 200
      }
      #expect(try await page.ask(.GET, "/v1/status").status == 401)
    }
  }

  /// Whether a program listens at the address of a page.
  private static func answers(at page: WebPage) -> Bool {
    guard let caller = try? LoopbackPort.connect(to: page.port, at: page.host) else { return false }
    close(caller)
    return true
  }

  private static func isClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
  }
}
