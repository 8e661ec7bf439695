/// The kind of a database. A zone's owner and participants determine in which database an account finds it. CloudKit:
/// `CKDatabase.Scope`.
public enum DatabaseScope: UInt8, Hashable, Sendable, Codable, CaseIterable {
  /// The zones that the account owns.
  case `private` = 0
  /// The zones that other accounts share with the account.
  case shared = 1
  /// The database that all accounts of the container share. Permissions depend on the record type.
  case `public` = 2
}
