// Who may do what with the records of the public database: a right belongs to a type of record and is
// given to a circle, as CloudKit's security roles are. Asked inside the transaction like every other
// right, of the record as it is stored: its creator is who made it, whatever a request says.

import Records

/// The rights in the public database, type by type.
package struct PublicRights: Hashable, Sendable {
  /// Those to whom a right is given.
  package enum Circle: String, Hashable, Sendable, CaseIterable {
    /// Whoever can read here at all. CloudKit: `_world`.
    case everyone
    /// Every account. CloudKit: `_icloud`.
    case account
    /// The account that made the record. CloudKit: `_creator`.
    case creator
    /// No account.
    case nobody
  }

  /// What may be done with records of a type.
  package struct Rule: Hashable, Sendable {
    /// Who may make one: `account` or `nobody`.
    package var create = Circle.account
    /// Who may read one; its creator always may.
    package var read = Circle.everyone
    /// Who may change or delete one.
    package var write = Circle.creator

    /// All read, accounts make, and who made a record changes it.
    package init() {}

    /// A rule.
    package init(create: Circle, read: Circle, write: Circle) {
      self.create = create
      self.read = read
      self.write = write
    }
  }

  /// More types are refused: each is looked up by every change.
  package static let typesMax = 256

  /// For types that have no rule of their own.
  package private(set) var rest: Rule
  private var rules: [RecordType: Rule]

  /// Rules for some types and for the rest.
  package init(rest: Rule = Rule(), rules: [RecordType: Rule] = [:]) {
    self.rest = rest
    self.rules = rules
  }

  /// For the broker's own hand: everything may be done.
  static let unbounded = PublicRights(
    rest: Rule(create: .account, read: .everyone, write: .account))

  /// The rule for a type.
  package func rule(for type: RecordType) -> Rule {
    rules.isEmpty ? rest : rules[type] ?? rest
  }

  // MARK: Questions

  /// Whether an account may make a record of a type.
  package func allowsCreating(_ type: RecordType) -> Bool {
    rule(for: type).create != .nobody
  }

  /// Whether `account` may read a record of a type that `creator` made.
  package func allowsReading(
    _ type: RecordType, of creator: AccountID, by account: AccountID
  ) -> Bool {
    creator == account || isReadByAll(type)
  }

  /// Whether records of a type are for every account to read.
  package func isReadByAll(_ type: RecordType) -> Bool {
    [.everyone, .account].contains(rule(for: type).read)
  }

  /// Whether `account` may change and delete a record of a type that `creator` made.
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
  /// Why `account` may not save a record of a type in the place of `live`, if it may not.
  func refusal(
    toSave name: RecordName, _ type: RecordType, over live: Change?, by account: AccountID
  ) -> RecordsError? {
    guard live == nil else { return refusal(toChange: live, by: account) }
    guard !allowsCreating(type) else { return nil }
    return RecordsError(
      .permissionFailure, "The public database of this broker does not allow new \(type) records.",
      hint: "Ask the broker's administrator.", record: name, reason: "publicCreate")
  }

  /// Why `account` may not change or delete a record, if it may not.
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
  /// The public database is one zone for everybody, and nobody's to follow or to change.
  package static let publicZone = RecordsError(
    .invalidArguments,
    "The public database has one zone, which nobody follows, shares or changes: there is no feed, "
      + "no trash and no history of it.",
    hint: "Ask it with a query, fetch records by name, or subscribe to a query.", field: "zone",
    reason: "publicZone")
}
