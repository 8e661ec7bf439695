/// The body that signs the device out.
package struct SignOutForm: Codable, Hashable, Sendable {
  /// Whether to discard edits that the broker has not received; by default not.
  package var discard: Bool?

  package init(discard: Bool? = nil) {
    self.discard = discard
  }
}
