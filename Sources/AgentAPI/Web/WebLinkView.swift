/// A link to the agent's web page. It works once.
package struct WebLinkView: Codable, Hashable, Sendable {
  package var schema = 1
  package var link: String
  /// How long the link works.
  package var seconds: Int64

  package init(link: String, seconds: Int64) {
    self.link = link
    self.seconds = seconds
  }
}

extension AgentPath {
  /// The links to the agent's web page.
  package static let webOpen = AgentPath("web", "open")
}
