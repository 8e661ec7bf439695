/// What an invitation is for.
package struct ExaminedInvitationView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The account that the device would join.
  package var account: String
  /// The address of the broker.
  package var broker: String
  /// The number of contacts on this device that joining would add to the account or delete.
  package var contacts: Int

  package init(account: String, broker: String, contacts: Int) {
    self.account = account
    self.broker = broker
    self.contacts = contacts
  }
}
