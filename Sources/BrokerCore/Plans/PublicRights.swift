// Permissions on the records of the public database. As with CloudKit's security roles, a right to create,
// read or write records of one type is granted to a set of accounts. Rights are checked inside the
// transaction against the stored record, so a request cannot claim another creator.

import Records

/// The rights on records of the public database, by record type.
package struct PublicRights: Hashable, Sendable {
  /// The accounts to which a right is granted.
  package enum Grantee: String, Hashable, Sendable, CaseIterable {
    /// Every reader of the database. CloudKit: `_world`.
    case everyone
    /// Every account. CloudKit: `_icloud`.
    case account
    /// The account that created the record. CloudKit: `_creator`.
    case creator
    /// No account.
    case nobody
  }

  /// The rights on records of one type.
  package struct Rule: Hashable, Sendable {
    /// The accounts that may create records: `account` or `nobody`.
    package var create = Grantee.account
    /// The accounts that may read records. A record's creator can always read it.
    package var read = Grantee.everyone
    /// The accounts that may change and delete records.
    package var write = Grantee.creator

    /// The default rule: every reader reads, every account creates, and only the creator changes a record.
    package init() {}

    package init(create: Grantee, read: Grantee, write: Grantee) {
      self.create = create
      self.read = read
      self.write = write
    }
  }

  /// The maximum number of types with a rule of their own. Every change looks up one of them.
  package static let typesMax = 256

  /// The rule for types without a rule of their own.
  package private(set) var defaultRule: Rule
  private var rules: [RecordType: Rule]

  /// Creates rights from the rules of some types and a rule for all other types.
  package init(defaultRule: Rule = Rule(), rules: [RecordType: Rule] = [:]) {
    self.defaultRule = defaultRule
    self.rules = rules
  }

  /// The rights of the broker itself, which may do everything.
  static let unbounded = PublicRights(
    defaultRule: Rule(create: .account, read: .everyone, write: .account))

  /// Returns the rule for `type`: its own, or `defaultRule`.
  package func rule(for type: RecordType) -> Rule {
    rules.isEmpty ? defaultRule : rules[type] ?? defaultRule
  }

  // MARK: Questions

  /// Whether accounts may create records of `type`.
  package func allowsCreating(_ type: RecordType) -> Bool {
    rule(for: type).create != .nobody
  }

  /// Whether `account` may read a record of `type` that `creator` created.
  package func allowsReading(
    _ type: RecordType, of creator: AccountID, by account: AccountID
  ) -> Bool {
    creator == account || isReadByAll(type)
  }

  /// Whether every account may read records of `type`.
  package func isReadByAll(_ type: RecordType) -> Bool {
    [.everyone, .account].contains(rule(for: type).read)
  }

  /// Whether `account` may change and delete a record of `type` that `creator` created.
  package func allowsWriting(
    _ type: RecordType, of creator: AccountID, by account: AccountID
  ) -> Bool {
    switch rule(for: type).write {
    case .everyone, .account: true
    case .creator: creator == account
    case .nobody: false
    }
  }
}

// MARK: - Refusals

extension PublicRights {
  /// Returns the reason why `account` may not save a record of `type`, or `nil` if it may. `live` is the
  /// record that the save replaces; without one, the save creates a record.
  func refusal(
    toSave name: RecordName, _ type: RecordType, over live: Change?, by account: AccountID
  ) -> RecordsError? {
    guard live == nil else { return refusal(toChange: live, by: account) }
    guard !allowsCreating(type) else { return nil }
    return RecordsError(
      .permissionFailure, "The public database of this broker does not allow new \(type) records.",
      hint: "Ask the broker's administrator.", record: name, reason: "publicCreate")
  }

  /// Returns the reason why `account` may not change or delete `live`, or `nil` if it may.
  func refusal(toChange live: Change?, by account: AccountID) -> RecordsError? {
    guard let live,
      !allowsWriting(live.type, of: live.created.origin.account, by: account)
    else { return nil }
    let onlyCreator = rule(for: live.type).write == .creator
    return RecordsError(
      .permissionFailure,
      onlyCreator
        ? "Only the account that created record \(live.name) can change or delete it."
        : "The public database of this broker does not allow changes to \(live.type) records.",
      hint: onlyCreator ? "" : "Ask the broker's administrator.", record: live.name,
      reason: "publicWrite")
  }
}

extension RecordsError {
  /// The public database is a single zone, without a feed, without a trash and without sharing.
  package static let publicZone = RecordsError(
    .invalidArguments,
    "The public database has one zone, without a feed, a trash or a history. It cannot be shared "
      + "or changed.",
    hint: "Query it, fetch records by name, or subscribe to a query.", field: "zone",
    reason: "publicZone")
}
