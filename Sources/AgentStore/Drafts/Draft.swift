// What a user has typed on the web page and not saved. The page gives the fields their paths; the device stores texts and
// does not interpret them.

import Records

/// A text of the web page that is not saved.
package struct Draft: Hashable, Sendable {
  /// What a draft becomes when it is saved.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A contact: a new one, or changes of one.
    case contact
    /// The caption of a new post.
    case post
    /// A new comment.
    case comment
    /// Another text of a caption or a comment.
    case text
    /// The decision of a conflict.
    case conflict
  }

  /// The id that the page has chosen. Only one form writes a draft: a form that continues another one's draft replaces it.
  package var id: String
  /// What it becomes when it is saved.
  package var kind: Kind
  /// The id of what is edited; `nil` for something new.
  package var target: String?
  /// What the list of drafts calls it.
  package var title: String
  /// Where the page shows the form: the part of its address after the `#`.
  package var address: String
  /// The version of the contact in `base`; `nil` for a new one.
  package var version: Int64?
  /// The number of the writing among those of this form.
  package var sequence: Int64
  /// The texts that the form began with, by their paths.
  package var base: [String: String]
  /// The texts of the form, by their paths.
  package var texts: [String: String]
  /// When it was written.
  package var changed: Timestamp

  package init(
    id: String, kind: Kind, target: String? = nil, title: String, address: String,
    version: Int64? = nil, sequence: Int64, base: [String: String], texts: [String: String],
    changed: Timestamp
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

  /// The bytes that count for the limits.
  var byteCount: Int {
    let parts = [id, target ?? "", title, address]
    let paths = Array(base.keys) + Array(texts.keys)
    let values = Array(base.values) + Array(texts.values)
    return (parts + paths + values).reduce(0) { $0 + $1.utf8.count }
  }

  /// The draft with only what the user has typed.
  var withoutContext: Draft {
    var draft = self
    draft.texts = texts.filter { $0.value != base[$0.key] }
    draft.base = [:]
    draft.version = nil
    return draft
  }
}
