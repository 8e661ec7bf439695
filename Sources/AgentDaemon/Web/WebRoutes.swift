// The operations of the agent's interface that the web page can use: fewer than a program on the Unix socket. Not
// among them are subscriptions, which run commands; keys and accounts (sign-in, sign-out, joining); settings that are
// paths; and the link to the page itself. A test compares the list with docs/openapi.yaml.

/// The operations that the web page can use.
enum WebRoutes {
  /// An operation.
  struct Route: Hashable, Sendable {
    /// The method, in capital letters.
    let method: String
    /// The path, as docs/openapi.yaml has it. Of the settings, each one has a path of its own.
    let path: String

    init(_ method: String, _ path: String) {
      self.method = method
      self.path = path
    }
  }

  /// All of them.
  static let all: Set<Route> = Set(
    [device, contacts, history, groups, sharing, timeline].joined())

  /// Pictures, which a page shows by their address. A browser sends no header of the page with such a request.
  static let pictures: Set<Route> = [
    Route("GET", "/v1/contacts/{id}/photo"), Route("GET", "/v1/posts/{id}/photo"),
  ]

  /// Operations that decide which devices have the contacts. They need a recent link to the page, which only a
  /// program on the Unix socket can make.
  static let afterOpening: Set<Route> = [
    Route("DELETE", "/v1/devices/{id}"), Route("POST", "/v1/devices/invitation"),
  ]

  /// The settings that a page can read and change: none is a path, and none opens a port.
  static let settings: [Preference] = [
    .profile, .sort, .nameOrder, .photoSize, .photoAge, .pageLanguage, .pageSort,
    .pageBrokerHint,
  ]

  /// Returns the operation of a request; `nil` if the page cannot use it.
  /// - Parameter path: The path without its query. It is not decoded: a word of a path that is written with percent
  ///   escapes belongs to no operation.
  static func route(_ method: String, _ path: String) -> Route? {
    let segments = path.split(separator: "/")
    return patterns.filter { $0.route.method == method && $0.pattern.matches(segments) }
      .min { $0.pattern.freedom < $1.pattern.freedom }?.route
  }

  private static let patterns = all.map { (route: $0, pattern: RoutePattern($0.path)) }

  /// Returns the operations of each path, whose methods are separated by blanks.
  private static func routes(_ paths: KeyValuePairs<String, String>) -> [Route] {
    paths.flatMap { path, methods in
      methods.split(separator: " ").map { Route(String($0), path) }
    }
  }

  private static let device =
    routes([
      "/v1/status": "GET", "/v1/check": "GET", "/v1/sync": "POST", "/v1/whoami": "GET PATCH",
      "/v1/accounts": "GET", "/v1/devices": "GET", "/v1/devices/{id}": "PATCH DELETE",
      "/v1/devices/invitation": "POST", "/v1/events/all": "GET", "/v1/notifications": "GET",
      "/v1/notifications/seen": "POST",
    ]) + settings.flatMap { routes(["/v1/settings/\($0.rawValue)": "GET PUT DELETE"]) }

  private static let contacts = routes([
    "/v1/contacts": "GET POST", "/v1/contacts/{id}": "GET PUT PATCH DELETE",
    "/v1/contacts/{id}/photo": "GET PUT DELETE", "/v1/contacts/{id}/merge": "POST",
    "/v1/sections": "GET", "/v1/duplicates": "GET", "/v1/import": "POST", "/v1/export": "GET",
    "/v1/drafts": "GET", "/v1/drafts/{id}": "PUT DELETE",
  ])

  private static let history = routes([
    "/v1/contacts/{id}/history": "GET", "/v1/trash": "GET DELETE",
    "/v1/trash/{id}/restore": "POST", "/v1/actions": "GET", "/v1/undo": "POST",
    "/v1/refused": "GET", "/v1/refused/{id}": "POST DELETE", "/v1/conflicts": "GET",
    "/v1/conflicts/{id}": "GET POST",
  ])

  private static let groups = routes([
    "/v1/groups": "GET POST", "/v1/groups/{id}": "PATCH DELETE",
    "/v1/groups/{id}/contacts": "POST", "/v1/groups/{id}/restore": "POST",
  ])

  private static let sharing = routes([
    "/v1/groups/{id}/share": "GET POST PATCH DELETE", "/v1/groups/{id}/share/link": "POST DELETE",
    "/v1/groups/{id}/participants": "GET POST",
    "/v1/groups/{id}/participants/{name}": "PATCH DELETE", "/v1/groups/{id}/requests": "GET",
    "/v1/groups/{id}/requests/{name}": "POST", "/v1/groups/{id}/leave": "POST",
    "/v1/shares/preview": "POST", "/v1/shares/accept": "POST", "/v1/shares/request": "POST",
    "/v1/shares/decline": "POST",
  ])

  private static let timeline = routes([
    "/v1/posts": "GET POST", "/v1/posts/{id}": "GET PATCH DELETE", "/v1/posts/{id}/photo": "GET",
    "/v1/posts/{id}/comments": "POST", "/v1/posts/{id}/follow": "GET PUT DELETE POST",
    "/v1/comments": "GET", "/v1/comments/{id}": "PATCH DELETE", "/v1/timeline": "GET",
    "/v1/timeline/sync": "POST",
  ])
}
