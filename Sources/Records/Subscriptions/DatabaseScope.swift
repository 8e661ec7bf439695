// Three databases, as CloudKit has them. What is in which follows from who owns a zone and with whom
// it is shared; the scope only says where somebody looks.

/// Which of an account's databases a subscription looks at.
package enum DatabaseScope: UInt8, Hashable, Sendable, CaseIterable {
  /// The account's own.
  case `private` = 0
  /// What others share with it.
  case shared = 1
  /// The container's, open to all.
  case `public` = 2
}
