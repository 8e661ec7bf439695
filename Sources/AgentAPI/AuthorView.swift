/// The author of a change.
package struct AuthorView: Codable, Hashable, Sendable {
  enum CodingKeys: CodingKey {
    case account, name, device
  }

  /// The account's name.
  package var account: String
  /// The account's display name, if it is different.
  @Sparse package var name: String?
  /// The device's name.
  package var device: String

  package init(account: String, name: String? = nil, device: String) {
    self.account = account
    self.name = name
    self.device = device
  }
}
