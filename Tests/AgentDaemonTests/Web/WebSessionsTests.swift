// Links and sessions, at times and with random numbers that the tests choose.

import Records
import Testing

@testable import AgentDaemon

@Suite("W5 sessions of the web page")
struct WebSessionsTests {
  /// Counts, so that each token is another one.
  private struct CountingGenerator: RandomNumberGenerator {
    var last: UInt64 = 0

    mutating func next() -> UInt64 {
      last += 1
      return last
    }
  }

  private var generator = CountingGenerator()
  private var sessions = WebSessions()
  private static let start = Timestamp(microseconds: 1_790_000_000_000_000)

  private func time(_ seconds: Int64) -> Timestamp { Self.start.adding(seconds: seconds) }

  private mutating func session(at seconds: Int64 = 0) throws -> WebSessions.Tokens {
    let link = sessions.open(now: time(seconds), using: &generator)
    return try #require(sessions.exchange(link, now: time(seconds), using: &generator))
  }

  @Test mutating func `a link becomes one session`() {
    let link = sessions.open(now: time(0), using: &generator)
    #expect(link.utf8.count == 64)
    #expect(sessions.exchange(link, now: time(59), using: &generator) != nil)
    #expect(sessions.exchange(link, now: time(59), using: &generator) == nil)
  }

  @Test(arguments: [60, 61, 1_000_000, -1] as [Int64])
  mutating func `an expired link becomes none, also after the clock was set back`(
    seconds: Int64
  ) {
    let link = sessions.open(now: time(0), using: &generator)
    #expect(sessions.exchange(link, now: time(seconds), using: &generator) == nil)
    #expect(sessions.exchange(link, now: time(1), using: &generator) == nil)
  }

  @Test mutating func `each token opens what it is for`() throws {
    let link = sessions.open(now: time(0), using: &generator)
    #expect(!sessions.admits(session: link, now: time(0)))
    let tokens = try #require(sessions.exchange(link, now: time(0), using: &generator))
    #expect(Set([link, tokens.session, tokens.pictures]).count == 3)
    #expect(sessions.admits(session: tokens.session, now: time(1)))
    #expect(sessions.admits(pictures: tokens.pictures, now: time(1)))
    for other in [link, tokens.pictures, "", String(tokens.session.dropLast())] {
      #expect(!sessions.admits(session: other, now: time(1)))
    }
    for other in [link, tokens.session, ""] {
      #expect(!sessions.admits(pictures: other, now: time(1)))
    }
    #expect(sessions.exchange(tokens.session, now: time(1), using: &generator) == nil)
  }

  @Test mutating func `a session ends after a week`() throws {
    let tokens = try session()
    let week = WebSessions.sessionSeconds
    #expect(sessions.admits(session: tokens.session, now: time(week - 1)))
    #expect(!sessions.admits(session: tokens.session, now: time(week)))
    #expect(!sessions.admits(pictures: tokens.pictures, now: time(week)))
    #expect(!sessions.admits(session: tokens.session, now: time(-1)))
  }

  @Test mutating func `further links and sessions replace the oldest`() throws {
    var links: [String] = []
    for _ in 0...WebSessions.linksMaximum {
      links.append(sessions.open(now: time(0), using: &generator))
    }
    #expect(sessions.exchange(links[0], now: time(0), using: &generator) == nil)
    #expect(sessions.exchange(links[1], now: time(0), using: &generator) != nil)
    sessions = WebSessions()
    var tokens: [WebSessions.Tokens] = []
    for second in 0...WebSessions.sessionsMaximum {
      tokens.append(try session(at: Int64(second)))
    }
    let admitted = tokens.map { sessions.admits(session: $0.session, now: time(99)) }
    #expect(admitted == [false] + tokens.dropFirst().map { _ in true })
  }

  @Test mutating func `a page that was opened recently is recognized for five minutes`() {
    #expect(!sessions.hasOpenedRecently(now: time(0)))
    _ = sessions.open(now: time(0), using: &generator)
    #expect(sessions.hasOpenedRecently(now: time(299)))
    #expect(!sessions.hasOpenedRecently(now: time(300)))
    #expect(!sessions.hasOpenedRecently(now: time(-1)))
  }

  @Test mutating func `stored sessions continue, without their tokens and without links`() throws {
    sessions = WebSessions(at: "boot/1")
    let tokens = try session()
    let link = sessions.open(now: time(0), using: &generator)
    let stored = sessions.stored
    for secret in [tokens.session, tokens.pictures, link] { #expect(!stored.contains(secret)) }
    var resumed = WebSessions(stored: stored, at: "boot/1")
    #expect(resumed.admits(session: tokens.session, now: time(1)))
    #expect(resumed.admits(pictures: tokens.pictures, now: time(1)))
    #expect(resumed.exchange(link, now: time(1), using: &generator) == nil)
    #expect(!resumed.hasOpenedRecently(now: time(1)))
    #expect(!resumed.admits(session: tokens.session, now: time(WebSessions.sessionSeconds)))
  }

  @Test
  mutating func `stored sessions of another socket, or of none that is known, do not continue`()
    throws
  {
    sessions = WebSessions(at: "boot/1")
    let tokens = try session()
    let stored = sessions.stored
    for socket in ["boot/2", "boot", "", nil] {
      let other = WebSessions(stored: stored, at: socket)
      #expect(other == WebSessions(at: socket))
      #expect(!other.admits(session: tokens.session, now: time(1)))
    }
    sessions = WebSessions()
    _ = try session()
    #expect(sessions.stored == "")
  }

  @Test mutating func `signing out ends sessions and links`() throws {
    sessions = WebSessions(at: "boot/1")
    let tokens = try session()
    let link = sessions.open(now: time(0), using: &generator)
    sessions.end()
    #expect(!sessions.admits(session: tokens.session, now: time(1)))
    #expect(!sessions.admits(pictures: tokens.pictures, now: time(1)))
    #expect(sessions.exchange(link, now: time(1), using: &generator) == nil)
    #expect(sessions.stored == "" && !sessions.hasOpenedRecently(now: time(1)))
  }

  @Test(arguments: ["", "x", "a b c", "\n\n", String(repeating: "0", count: 64) + " 1 2"])
  func `an unreadable line is no session`(line: String) {
    #expect(WebSessions(stored: "boot/1\n\(line)", at: "boot/1") == WebSessions(at: "boot/1"))
  }

  @Test func `digests are equal only as a whole`() throws {
    let digest = WebToken.Digest(of: "abc")
    #expect(digest.text.hasPrefix("ba7816bf"))
    #expect(digest.equals(.init(of: "abc")))
    for index in [0, 31, 63] {
      var digits = Array(digest.text)
      digits[index] = digits[index] == "0" ? "1" : "0"
      let other = try #require(WebToken.Digest(text: String(digits)))
      #expect(!digest.equals(other))
    }
    #expect(WebToken.Digest(text: digest.text.dropLast()) == nil)
  }
}
