import Records

/// The history of a contact.
package struct ContactHistoryView: Codable, Hashable, Sendable {
  package var schema = 1
  package var id: String
  package var name: String
  /// Whether the broker has answered.
  package var complete: Bool
  /// The steps, newest first.
  package var history: [Step]

  package init(id: String, name: String, complete: Bool, history: [Step]) {
    self.id = id
    self.name = name
    self.complete = complete
    self.history = history
  }

  /// One step of the history.
  package struct Step: Codable, Hashable, Sendable {
    /// The revision of the zone; `nil` if the broker does not have the step yet.
    package var revision: Int64?
    /// `created`, `updated`, `deleted`, `restored`, or `known` for the oldest retained version.
    package var change: String
    package var time: Timestamp
    package var by: AuthorView
    /// Whether the broker has the step.
    package var synced: Bool
    package var fields: [Difference]

    package init(
      revision: Int64?, change: String, time: Timestamp, by: AuthorView, synced: Bool,
      fields: [Difference]
    ) {
      self.revision = revision
      self.change = change
      self.time = time
      self.by = by
      self.synced = synced
      self.fields = fields
    }
  }

  /// One change of a step.
  package struct Difference: Codable, Hashable, Sendable {
    package var field: String
    /// The id of the entry, if the change is about one.
    package var entry: String?
    package var before: String?
    package var after: String?

    package init(field: String, entry: String?, before: String?, after: String?) {
      self.field = field
      self.entry = entry
      self.before = before
      self.after = after
    }
  }
}
