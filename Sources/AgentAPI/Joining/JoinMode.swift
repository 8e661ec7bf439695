/// What happens to the contacts of a device that joins an account.
package enum JoinMode: String, Codable, Hashable, Sendable, CaseIterable {
  /// They are added to the account.
  case bring
  /// They are deleted.
  case replace
}
