/// The account and the device of the agent.
package struct WhoamiView: Codable, Hashable, Sendable {
  package var schema = 1
  package var account: Account
  package var device: Device

  package init(account: Account, device: Device) {
    self.account = account
    self.device = device
  }

  /// The account.
  package struct Account: Codable, Hashable, Sendable {
    /// The id; `nil` until a broker has assigned it.
    package var id: String?
    package var name: String
    /// The name that other accounts see; `nil` until the account is known.
    package var displayName: String?
    /// Whether other accounts can find this one by its name: `ask`, `allow` or `deny`.
    package var discoverability: String
    /// The status as a word, such as `available`.
    package var status: String

    package init(
      id: String?, name: String, displayName: String?, discoverability: String, status: String
    ) {
      self.id = id
      self.name = name
      self.displayName = displayName
      self.discoverability = discoverability
      self.status = status
    }
  }

  /// The device.
  package struct Device: Codable, Hashable, Sendable {
    /// The id; `nil` until a broker has assigned it.
    package var id: String?
    package var name: String

    package init(id: String?, name: String) {
      self.id = id
      self.name = name
    }
  }
}

extension AgentPath {
  /// The account and the device of the agent.
  package static let whoami = AgentPath("whoami")
}
