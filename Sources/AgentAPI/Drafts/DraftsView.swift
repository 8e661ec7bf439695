import Records

/// The drafts of the web page.
package struct DraftsView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The list's incarnation. Sign-out ends the list, and the next one has another incarnation.
  package var incarnation: String
  package var drafts: [DraftItem]

  package init(incarnation: String, drafts: [DraftItem]) {
    self.incarnation = incarnation
    self.drafts = drafts
  }
}

/// A text of the web page that is not saved.
package struct DraftItem: Codable, Hashable, Sendable {
  package var id: String
  /// `contact`, `post`, `comment`, `text` or `conflict`.
  package var kind: String
  /// The id of what is edited; `nil` for something new.
  package var target: String?
  package var title: String
  /// The part of the page's address after the `#`.
  package var address: String
  /// The version of the contact that the form began with.
  package var version: Int64?
  /// The number of the last writing.
  package var sequence: Int64
  /// The texts that the form began with, by their paths.
  package var base: [String: String]
  /// The texts of the form, by their paths.
  package var texts: [String: String]
  package var changed: Timestamp

  package init(
    id: String, kind: String, target: String?, title: String, address: String, version: Int64?,
    sequence: Int64, base: [String: String], texts: [String: String], changed: Timestamp
  ) {
    self.id = id
    self.kind = kind
    self.target = target
    self.title = title
    self.address = address
    self.version = version
    self.sequence = sequence
    self.base = base
    self.texts = texts
    self.changed = changed
  }
}

extension AgentPath {
  /// The drafts of the web page.
  package static let drafts = AgentPath("drafts")

  /// A draft of the web page.
  package static func draft(_ id: String = anyID) -> AgentPath { AgentPath("drafts", id) }
}

extension AgentQuery {
  /// The last writing of a draft that the caller has read.
  package static let sequence = "sequence"
}
