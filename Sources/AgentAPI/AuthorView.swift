/// The author of a change.
package struct AuthorView: Codable, Hashable, Sendable {
  enum CodingKeys: CodingKey {
    case account, name, device, deviceName
  }

  /// The account's name; its id if the name is unknown.
  package var account: String
  /// The account's name for people, if it is different: its display name, or “someone”.
  @Sparse package var name: String?
  /// The device's name; its id if the name is unknown.
  package var device: String
  /// The device's name for people, if it is different: “another device”.
  @Sparse package var deviceName: String?

  package init(
    account: String, name: String? = nil, device: String, deviceName: String? = nil
  ) {
    self.account = account
    self.name = name
    self.device = device
    self.deviceName = deviceName
  }
}
