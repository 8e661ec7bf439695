/// The body that signs the device out.
package struct SignOutForm: Codable, Hashable, Sendable {
  /// Whether to discard edits that the broker has not received; by default not.
  package var discard: Bool?
  /// Whether to discard drafts of the web page; by default not.
  package var discardDrafts: Bool?

  package init(discard: Bool? = nil, discardDrafts: Bool? = nil) {
    self.discard = discard
    self.discardDrafts = discardDrafts
  }
}
