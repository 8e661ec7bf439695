/// The body that stores a draft.
package struct DraftForm: Codable, Hashable, Sendable {
  /// The incarnation of the list of drafts, as the page has read it.
  package var incarnation: String
  /// `contact`, `post`, `comment`, `text` or `conflict`.
  package var kind: String
  /// The id of what is edited; `nil` for something new.
  package var target: String?
  package var title: String
  /// The part of the page's address after the `#`.
  package var address: String
  /// The version of the contact that the form began with.
  package var version: Int64?
  /// The number of the writing among those of this form.
  package var sequence: Int64
  /// The texts that the form began with, by their paths.
  package var base: [String: String]
  /// The texts of the form, by their paths.
  package var texts: [String: String]
  /// The draft that this one continues.
  package var replaces: Replaced?

  package init(
    incarnation: String, kind: String, target: String? = nil, title: String, address: String,
    version: Int64? = nil, sequence: Int64, base: [String: String] = [:],
    texts: [String: String], replaces: Replaced? = nil
  ) {
    self.incarnation = incarnation
    self.kind = kind
    self.target = target
    self.title = title
    self.address = address
    self.version = version
    self.sequence = sequence
    self.base = base
    self.texts = texts
    self.replaces = replaces
  }

  /// A draft that another one continues.
  package struct Replaced: Codable, Hashable, Sendable {
    package var id: String
    /// The last writing that the form has read. A later one keeps the draft.
    package var sequence: Int64

    package init(id: String, sequence: Int64) {
      self.id = id
      self.sequence = sequence
    }
  }
}
