// The methods of each path. The router answers a request with another method like one for a path that does not exist;
// HTTP has a status of its own for it (RFC 9110, 15.5.6).

import HTTPTypes
import Hummingbird

/// The methods that the routes of the agent support.
struct AllowedMethods: Sendable {
  private let methods: [RoutePattern: [String]]

  /// Collects the methods of `routes`.
  init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
    methods = Dictionary(grouping: routes) { RoutePattern($0.path) }
      .mapValues { Set($0.map(\.method.rawValue)).sorted() }
  }

  /// The methods of a path without its query; `nil` if it does not exist. A route with a fixed segment hides the ones
  /// with any segment there, as it does in the router.
  func of(_ path: String) -> [String]? {
    let segments = path.split(separator: "/")
    return methods.filter { $0.key.matches(segments) }.min { $0.key.freedom < $1.key.freedom }?
      .value
  }
}
