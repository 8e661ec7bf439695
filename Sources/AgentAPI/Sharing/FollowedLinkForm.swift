/// The body that names a link of another account's group.
package struct FollowedLinkForm: Codable, Hashable, Sendable {
  package var link: String

  package init(link: String) {
    self.link = link
  }
}
