// Decides which requests the web page's listener answers. The user at the other end was checked before a byte was
// read. What remains are the other pages in the user's browser: pages of other sites, which can make it send requests
// with its cookies; names that lead to this machine (DNS rebinding); and programs of the same user on other ports of
// this machine, which the browser counts to the same site, because cookies ignore ports.

import DaemonKit
import Records

/// What the decision about a request depends on.
struct WebRequest: Hashable, Sendable {
  /// The method, in capital letters.
  var method: String
  /// The path without its query.
  var path: String
  /// The names that the request was sent to: of the `Host` header, or the target.
  var hosts: [String] = []
  /// The `Origin` header: the site of the page that sends the request.
  var origin: String?
  /// The `Sec-Fetch-Site` header: how that page relates to this one, from browsers.
  var fetchSite: String?
  /// The session's token.
  var token: String?
  /// The cookie of the session's pictures.
  var cookie: String?
}

/// Decides about requests of the web page.
struct WebAccess: Hashable, Sendable {
  /// The header with the session's token.
  static let tokenHeader = "X-Contacts-Token"
  /// The path that exchanges a link's token for a session.
  static let sessionPath = "/web/session"
  /// The path that proves to a page that this is its agent.
  static let proofPath = "/web/proof"
  /// The path that makes the QR code of a text.
  static let codePath = "/web/code"

  /// The address at which the page listens.
  let address: LoopbackAddress
  /// The port at which the page listens.
  let port: UInt16

  /// The only valid `Host` header.
  var host: String { "\(address):\(port)" }
  /// The only valid `Origin` header.
  var origin: String { "http://\(host)" }
  /// The name of the cookie. Cookies ignore ports, and a user may have several devices.
  var cookieName: String { "contacts-pictures-\(port)" }

  /// What happens with a request.
  enum Decision: Hashable, Sendable {
    /// A file of the page is sent, if there is one with this path.
    case file
    /// A link's token is exchanged for a session.
    case session
    /// The page gets a proof that this is its agent. It has lost the connection, and sends nothing else before.
    case proof
    /// The QR code of a text is sent.
    case code
    /// The agent's routes answer.
    case call
    /// Nothing is sent but this.
    case refused(WebRefusal)
  }

  /// Decides about `request`.
  func decision(on request: WebRequest, of sessions: WebSessions, now: Timestamp) -> Decision {
    if let refusal = foreignness(of: request) { return .refused(refusal) }
    let segments = request.path.split(separator: "/")
    if segments.first == "v1" { return call(request, sessions, now) }
    switch request.path {
    case Self.sessionPath: return request.method == "POST" ? .session : .refused(.method)
    case Self.proofPath: return request.method == "POST" ? .proof : .refused(.method)
    case Self.codePath:
      guard request.method == "POST" else { return .refused(.method) }
      return Self.hasSession(request, sessions, now) ? .code : .refused(.session)
    default: return request.method == "GET" ? .file : .refused(.method)
    }
  }

  /// Why a request does not come from the page itself.
  private func foreignness(of request: WebRequest) -> WebRefusal? {
    guard request.hosts == [host] else { return .host }
    // “none” is the user, who opens a link of another program or types an address.
    guard request.fetchSite.map({ ["same-origin", "none"].contains($0) }) ?? true else {
      return .site
    }
    guard request.origin.map({ $0 == origin }) ?? true else { return .site }
    return nil
  }

  private func call(_ request: WebRequest, _ sessions: WebSessions, _ now: Timestamp) -> Decision {
    let route = WebRoutes.route(request.method, request.path)
    let isPicture = route.map(WebRoutes.pictures.contains) ?? false
    guard
      Self.hasSession(request, sessions, now)
        || (isPicture && request.cookie.map { sessions.admits(pictures: $0, now: now) } ?? false)
    else { return .refused(.session) }
    guard let route else { return .refused(.operation) }
    guard !WebRoutes.afterOpening.contains(route) || sessions.hasOpenedRecently(now: now) else {
      return .refused(.opening)
    }
    return .call
  }

  /// Whether the request has the token of a session.
  private static func hasSession(
    _ request: WebRequest, _ sessions: WebSessions, _ now: Timestamp
  ) -> Bool {
    request.token.map { sessions.admits(session: $0, now: now) } ?? false
  }
}
