/// The names of query parameters that the agent and its clients share. Areas add their own.
package enum AgentQuery {
  /// The maximum number of items of a page.
  package static let limit = "limit"
  /// The position after which a page begins.
  package static let cursor = "cursor"
  /// The words to search for.
  package static let search = "q"
  /// The properties of the items of a list, separated by commas.
  package static let properties = "properties"
  /// A group, by id or title.
  package static let group = "group"
  /// The number of the action that a write continues.
  package static let action = "action"
  /// Whether the user has confirmed a deletion.
  package static let acknowledged = "acknowledged"
  /// How long to wait for the broker, in seconds.
  package static let wait = "wait"
}
