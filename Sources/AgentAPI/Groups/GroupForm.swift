/// The body that creates or renames a group.
package struct GroupForm: Codable, Hashable, Sendable {
  package var title: String

  package init(title: String) {
    self.title = title
  }
}
