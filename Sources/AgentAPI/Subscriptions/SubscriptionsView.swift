/// The subscriptions of the account and of this device, by id.
package struct SubscriptionsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var subscriptions: [SubscriptionItem]

  package init(subscriptions: [SubscriptionItem]) {
    self.subscriptions = subscriptions
  }
}

extension AgentPath {
  /// The subscriptions.
  package static let subscriptions = AgentPath("subscriptions")

  /// A subscription.
  package static func subscription(_ id: String = anyID) -> AgentPath {
    AgentPath("subscriptions", id)
  }
}
