/// The path of a resource of the agent, below `/v1`. Clients fill in ids; the agent's router uses the pattern.
package struct AgentPath: Hashable, Sendable {
  /// A segment that stands for any id in the pattern of a route.
  package static let anyID = ":id"

  /// The segments after the version, not percent-encoded.
  package let segments: [String]

  /// Creates a path of segments.
  package init(_ segments: String...) {
    self.init(segments)
  }

  package init(_ segments: [String]) {
    self.segments = segments
  }

  /// The path with the version in front, as the agent's router has it.
  package var pattern: String { "/v1/" + segments.joined(separator: "/") }
}
