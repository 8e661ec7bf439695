/// The content of a `synced` event: the broker has confirmed edits of records. Their fields are unchanged; `synced`,
/// the times and the authors are new.
package struct SyncedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The type of the records.
  package var type: String
  /// The id of their group.
  package var group: String

  package init(type: String, group: String) {
    self.type = type
    self.group = group
  }
}
