/// The requests for access to a group, as the broker last reported them.
package struct AccessRequestsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var requests: [AccessRequestItem]

  package init(requests: [AccessRequestItem]) {
    self.requests = requests
  }
}

extension AgentPath {
  /// The requests for access to a group.
  package static func requests(forGroup id: String = anyID) -> AgentPath {
    AgentPath("groups", id, "requests")
  }

  /// A request for access to a group, by the account's name or id.
  package static func request(
    of name: String = anyName, forGroup id: String = anyID
  ) -> AgentPath {
    AgentPath("groups", id, "requests", name)
  }
}
