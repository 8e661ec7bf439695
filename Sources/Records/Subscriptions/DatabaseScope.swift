/// One of the three databases of CloudKit. A zone's owner and participants determine in which
/// database an account finds it.
package enum DatabaseScope: UInt8, Hashable, Sendable, CaseIterable {
  /// The zones that the account owns.
  case `private` = 0
  /// The zones that other accounts share with the account.
  case shared = 1
  /// The container's database that all accounts can read.
  case `public` = 2
}
