/// The body that renames the device or the account; `nil` leaves the name unchanged.
package struct WhoamiForm: Codable, Hashable, Sendable {
  package var device: Device?
  package var account: Account?

  package init(device: Device? = nil, account: Account? = nil) {
    self.device = device
    self.account = account
  }

  /// The device's new name.
  package struct Device: Codable, Hashable, Sendable {
    /// Empty or `nil` restores the name with which the agent was started.
    package var name: String?

    package init(name: String?) {
      self.name = name
    }
  }

  /// The account's new name.
  package struct Account: Codable, Hashable, Sendable {
    /// The name that other accounts see.
    package var displayName: String

    package init(displayName: String) {
      self.displayName = displayName
    }
  }
}
