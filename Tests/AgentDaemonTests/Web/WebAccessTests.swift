// Which requests of a browser are answered.

import DaemonKit
import Records
import Testing

@testable import AgentDaemon

@Suite("W5 access to the web page")
struct WebAccessTests {
  private let access: WebAccess
  private let now = Timestamp(microseconds: 1_790_000_000_000_000)
  private let sessions: WebSessions
  private let tokens: WebSessions.Tokens

  init() throws {
    var generator = SystemRandomNumberGenerator()
    var sessions = WebSessions()
    let link = sessions.open(now: now, using: &generator)
    tokens = try #require(sessions.exchange(link, now: now, using: &generator))
    self.sessions = sessions
    access = WebAccess(address: try #require(LoopbackAddress(0x7F4D_0C09)), port: 4711)
  }

  private func request(
    _ method: String, _ path: String, _ change: (inout WebRequest) -> Void = { _ in }
  ) -> WebRequest {
    var request = WebRequest(method: method, path: path)
    request.hosts = ["127.77.12.9:4711"]
    request.token = tokens.session
    change(&request)
    return request
  }

  private func status(_ request: WebRequest, seconds: Int64 = 1) -> Int? {
    let time = now.adding(seconds: seconds)
    guard
      case .refused(let refusal) = access.decision(on: request, of: sessions, now: time)
    else { return nil }
    return refusal.status
  }

  private func decision(_ request: WebRequest) -> WebAccess.Decision {
    access.decision(on: request, of: sessions, now: now)
  }

  @Test func `the page gets its files, a session and the agent's answers`() {
    #expect(decision(request("GET", "/") { $0.token = nil }) == .file)
    #expect(decision(request("GET", "/app.js") { $0.fetchSite = "same-origin" }) == .file)
    #expect(decision(request("GET", "/") { $0.fetchSite = "none" }) == .file)
    #expect(decision(request("POST", "/web/session") { $0.token = nil }) == .session)
    #expect(decision(request("POST", "/web/proof") { $0.token = nil }) == .proof)
    #expect(
      decision(
        request("POST", "/v1/contacts") {
          $0.origin = "http://127.77.12.9:4711"
          $0.fetchSite = "same-origin"
        }) == .call)
    #expect(decision(request("GET", "/v1/events/all")) == .call)
  }

  @Test(arguments: [
    [], ["localhost:4711"], ["127.0.0.1:4711"], ["127.77.12.9"], ["127.77.12.9:4712"],
    ["evil.example:4711"],
    ["[::1]:4711"], ["127.77.12.9:4711."], ["127.77.12.9:4711", "evil.example"], [""],
  ])
  func `a request to another name is misdirected`(hosts: [String]) {
    for path in ["/", "/web/session", "/v1/contacts"] {
      #expect(status(request("GET", path) { $0.hosts = hosts }) == 421)
    }
  }

  @Test(arguments: ["cross-site", "same-site", "", "Same-Origin", "same-origin, none"])
  func `a page of another site or port is refused`(site: String) {
    for path in ["/", "/web/session", "/v1/contacts", "/v1/contacts/1/photo"] {
      #expect(status(request("GET", path) { $0.fetchSite = site }) == 403)
    }
  }

  @Test(arguments: [
    "null", "", "http://127.77.12.9", "http://127.77.12.9:4712", "https://127.77.12.9:4711",
    "http://localhost:4711", "http://evil.example", "http://127.77.12.9:4711/",
  ])
  func `a foreign origin is refused`(origin: String) {
    #expect(status(request("POST", "/web/session") { $0.origin = origin }) == 403)
    #expect(status(request("GET", "/v1/contacts") { $0.origin = origin }) == 403)
  }

  @Test func `without the session's token the agent does not answer`() {
    for token in [nil, "", "x", tokens.pictures] {
      #expect(status(request("GET", "/v1/contacts") { $0.token = token }) == 401)
      #expect(status(request("GET", "/v1/unknown") { $0.token = token }) == 401)
      #expect(status(request("POST", "/v1/subscriptions") { $0.token = token }) == 401)
    }
    #expect(status(request("GET", "/v1/contacts"), seconds: WebSessions.sessionSeconds) == 401)
  }

  @Test func `a QR code is made for the page only`() {
    #expect(decision(request("POST", "/web/code")) == .code)
    for token in [nil, "", "x", tokens.pictures] {
      #expect(status(request("POST", "/web/code") { $0.token = token }) == 401)
    }
    let cookie = tokens.pictures
    #expect(
      status(
        request("POST", "/web/code") {
          $0.token = nil
          $0.cookie = cookie
        }) == 401)
    #expect(status(request("GET", "/web/code")) == 405)
    #expect(status(request("POST", "/web/code") { $0.fetchSite = "same-site" }) == 403)
    #expect(status(request("POST", "/web/code") { $0.hosts = ["localhost:4711"] }) == 421)
  }

  @Test func `the cookie opens pictures only`() {
    func with(_ cookie: String, _ method: String, _ path: String) -> Int? {
      status(
        request(method, path) {
          $0.token = nil
          $0.cookie = cookie
        })
    }
    #expect(with(tokens.pictures, "GET", "/v1/contacts/1/photo") == nil)
    #expect(with(tokens.pictures, "GET", "/v1/posts/1/photo") == nil)
    #expect(with(tokens.session, "GET", "/v1/contacts/1/photo") == 401)
    #expect(with(tokens.pictures, "PUT", "/v1/contacts/1/photo") == 401)
    #expect(with(tokens.pictures, "DELETE", "/v1/contacts/1/photo") == 401)
    for path in ["/v1/contacts", "/v1/contacts/1", "/v1/events/all", "/v1/export"] {
      #expect(with(tokens.pictures, "GET", path) == 401)
    }
  }

  @Test func `devices can be invited and removed for five minutes after opening`() {
    let invitation = request("POST", "/v1/devices/invitation")
    let removal = request("DELETE", "/v1/devices/7")
    for request in [invitation, removal] {
      #expect(status(request, seconds: 299) == nil)
      #expect(status(request, seconds: 300) == 403)
    }
    #expect(status(request("GET", "/v1/devices"), seconds: 300) == nil)
  }

  @Test func `what the page cannot do is refused, also with its token`() {
    for (method, path) in [
      ("POST", "/v1/subscriptions"), ("POST", "/v1/signout"), ("PUT", "/v1/settings/album"),
      ("GET", "/v1/settings"), ("GET", "//v1/subscriptions"), ("HEAD", "/v1/contacts"),
    ] {
      #expect(status(request(method, path)) == 403)
    }
    #expect(status(request("GET", "/web/session")) == 405)
    #expect(status(request("POST", "/")) == 405)
    #expect(status(request("CONNECT", "/")) == 405)
  }
}
