import BrokerCore

/// What a request did to a device of the account.
package struct DeviceChange: Sendable {
  /// The changes of the account's directories.
  package let effects: CommitEffects
  /// The sessions to end; `nil` for none.
  package let expelled: Expulsion?

  package init(_ effects: CommitEffects, expelled: Expulsion? = nil) {
    self.effects = effects
    self.expelled = expelled
  }
}
