/// A path with segments that can be any, as in `/v1/contacts/{id}`.
struct RoutePattern: Hashable, Sendable {
  /// The segments; `nil` for any one.
  private let segments: [Substring?]

  /// - Parameter path: A path whose free segments begin with a colon or a brace.
  init(_ path: String) {
    segments = path.split(separator: "/").map {
      $0.hasPrefix(":") || $0.hasPrefix("{") ? nil : $0
    }
  }

  /// The number of segments that can be any.
  var freedom: Int { segments.count { $0 == nil } }

  /// Whether the segments of a path without its query fit.
  func matches(_ path: [Substring]) -> Bool {
    path.count == segments.count && zip(segments, path).allSatisfy { $0 == nil || $0 == $1 }
  }
}
