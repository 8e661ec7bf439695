/// The body that replaces the link of a share.
package struct ShareLinkForm: Codable, Hashable, Sendable {
  /// How long the link is valid; `nil` for ever.
  package var expiresSeconds: Int64?
  /// How many accounts can join with the link; `nil` for any number.
  package var uses: Int?

  package init(expiresSeconds: Int64? = nil, uses: Int? = nil) {
    self.expiresSeconds = expiresSeconds
    self.uses = uses
  }
}
