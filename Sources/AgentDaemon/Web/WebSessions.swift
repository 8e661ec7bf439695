// Who may use the web page. A program on the Unix socket gets a link with a token, which works once and only for a
// minute: it may remain in the history of a browser. The page exchanges it for a session. A session ends after a week,
// with the socket at which it began, when the account is signed out, or earlier if there are many.

import Records

/// The links and sessions of the web page.
struct WebSessions: Hashable, Sendable {
  /// How long a link works.
  static let linkSeconds: Int64 = 60
  /// How long after a link was made the page can invite and remove devices.
  static let openSeconds: Int64 = 5 * 60
  /// How long a session lasts.
  static let sessionSeconds: Int64 = 7 * 86_400
  /// The maximum number of links that have not been used; further ones replace the oldest.
  static let linksMaximum = 8
  /// The maximum number of sessions; further ones replace the oldest.
  static let sessionsMaximum = 16

  /// The secrets of a new session.
  struct Tokens: Hashable, Sendable {
    /// The token that the page sends with each request.
    let session: String
    /// The token that the browser sends by itself, which opens pictures only.
    let pictures: String
  }

  private struct Link: Hashable {
    let digest: WebToken.Digest
    let made: Timestamp
  }

  private struct Session: Hashable {
    let digest: WebToken.Digest
    let pictures: WebToken.Digest
    let began: Timestamp
  }

  /// The socket at which the sessions began (`LoopbackSocket.identity`). They end with it; `nil` if it is not known.
  private let socket: String?
  private var links: [Link] = []
  private var sessions: [Session] = []
  private var opened: Timestamp?

  /// No sessions, at a new socket.
  init(at socket: String? = nil) { self.socket = socket }

  // MARK: Links

  /// Makes a link's token.
  mutating func open(
    now: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> String {
    let token = WebToken.random(using: &generator)
    links = links.filter { Self.isWithin(Self.linkSeconds, since: $0.made, now) }
    links = links.suffix(Self.linksMaximum - 1) + [Link(digest: .init(of: token), made: now)]
    opened = now
    return token
  }

  /// Whether a link was made within the last five minutes.
  func hasOpenedRecently(now: Timestamp) -> Bool {
    opened.map { Self.isWithin(Self.openSeconds, since: $0, now) } ?? false
  }

  /// Begins a session with a link's token; `nil` if the token is unknown, used or expired.
  mutating func exchange(
    _ token: String, now: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Tokens? {
    let digest = WebToken.Digest(of: token)
    guard let link = links.last(where: { $0.digest.equals(digest) }) else { return nil }
    links.removeAll { $0 == link }
    guard Self.isWithin(Self.linkSeconds, since: link.made, now) else { return nil }
    let tokens = Tokens(
      session: WebToken.random(using: &generator), pictures: WebToken.random(using: &generator))
    let session = Session(
      digest: .init(of: tokens.session), pictures: .init(of: tokens.pictures), began: now)
    sessions = current(now).suffix(Self.sessionsMaximum - 1) + [session]
    return tokens
  }

  // MARK: Sessions

  /// Whether `token` is that of a session.
  func admits(session token: String, now: Timestamp) -> Bool {
    let digest = WebToken.Digest(of: token)
    // All are compared, so that the time does not tell which one it is.
    return current(now).count { $0.digest.equals(digest) } > 0
  }

  /// Whether `token` is that of a session's pictures.
  func admits(pictures token: String, now: Timestamp) -> Bool {
    let digest = WebToken.Digest(of: token)
    return current(now).count { $0.pictures.equals(digest) } > 0
  }

  /// Proves to the pages of all sessions that this is their agent. Each page looks for its own proof.
  func proofs(of challenge: String, now: Timestamp) -> [String] {
    current(now).map { $0.digest.proof(of: challenge) }
  }

  private func current(_ now: Timestamp) -> [Session] {
    sessions.filter { Self.isWithin(Self.sessionSeconds, since: $0.began, now) }
  }

  /// Whether `now` is at most `seconds` after `start`. After the clock was set back, nothing is valid any more.
  private static func isWithin(_ seconds: Int64, since start: Timestamp, _ now: Timestamp) -> Bool {
    start <= now && now < start.adding(seconds: seconds)
  }

  // MARK: Storage

  /// The sessions as text, without their tokens: their socket, and a line with two digests and a time for each. Empty if
  /// there is none that can continue after a restart.
  var stored: String {
    guard let socket, !sessions.isEmpty else { return "" }
    let lines = sessions.map { "\($0.digest.text) \($0.pictures.text) \($0.began.microseconds)" }
    return ([socket] + lines).joined(separator: "\n")
  }

  /// Reads stored sessions, if they began at this socket. A line that another version wrote is ignored.
  init(stored: String, at socket: String?) {
    self.init(at: socket)
    let lines = stored.split(separator: "\n")
    guard let socket, lines.first.map(String.init) == socket else { return }
    sessions = lines.dropFirst().suffix(Self.sessionsMaximum).compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, let digest = WebToken.Digest(text: words[0]),
        let pictures = WebToken.Digest(text: words[1]), let began = Int64(words[2])
      else { return nil }
      return Session(
        digest: digest, pictures: pictures, began: Timestamp(microseconds: began))
    }
  }

  /// Ends all sessions and links.
  mutating func end() {
    (sessions, links, opened) = ([], [], nil)
  }
}
