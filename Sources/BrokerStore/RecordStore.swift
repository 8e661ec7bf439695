// What the broker needs of a database, batch-shaped and without a word of SQL: a transaction in
// which requests are gathered, planned and applied one after the other, and three reads beside
// it. Calls block; the daemon makes them on threads of its own. Every store passes the same
// contract suite (Tests/BrokerStoreTests/RecordStoreContract.swift).

import BrokerCore
import Predicates
import Records

/// Where the broker keeps accounts, zones and records.
package protocol RecordStore: AssetStore, SubscriptionStore, SharingStore {
  /// Runs `body` in one durable transaction: when this returns, what was applied survives a power
  /// cut; when it throws, nothing was applied. Only one thread calls this.
  func transact<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Whether the database has work to do that does not belong to a transaction; then `tidy` should be
  /// called soon.
  var isUntidy: Bool { get }

  /// Does such work. Only the thread that calls `transact` calls this, between two transactions.
  func tidy()

  /// A page of a zone's feed: newest states above `request.after`, by rising revision, as one
  /// moment of the database has them. Tombstones at or below `request.scanStart` are left out.
  /// - Throws: `RecordsError` `changeTokenExpired`, `zoneNotFound` or `permissionFailure` when the
  ///   reader must begin again or stop; `StoreError` when the disk fails.
  func page(_ request: PageRequest) throws -> FeedPage

  /// The newest states of the records that `identity` may read, in the order asked, tombstones
  /// included; `nil` where there is nothing.
  func fetch(_ ids: [RecordID], of identity: SessionIdentity) throws -> [Change?]

  /// The states of a record before its newest one, below a revision where one is given, the latest
  /// first; none where `identity` may not read.
  func history(
    _ id: RecordID, below: Revision?, of identity: SessionIdentity
  ) throws -> HistoryPage

  /// The deleted records of a zone whose last state is kept, below a revision where one is given,
  /// the latest first; none where `identity` may not read.
  func trash(
    _ zone: ZoneID, below: Revision?, of identity: SessionIdentity
  ) throws -> TrashPage

  /// What one request of the device deleted in a zone, behind a tag, with what went along; nothing
  /// where `identity` may not read.
  func cascaded(
    _ zone: ZoneID, by number: RequestNumber, after: Revision, of identity: SessionIdentity
  ) throws -> CascadedPage

  /// A page of a query over what `identity` may read.
  /// - Throws: `zoneNotFound`; `limitExceeded` where the predicate looks at too much, or the page
  ///   takes longer than `clock` lets it.
  func query(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) throws -> FoundPage

  /// The whole directory of `identity`, zones that are gone included.
  func directory(of identity: SessionIdentity) throws -> DirectoryPage
}

/// One transaction of a store. Calls see what earlier calls of the same transaction applied.
package protocol StoreTransaction: AssetTransaction, SubscriptionTransaction,
  SharingTransaction, AdministrationTransaction, MaintenanceTransaction
{
  /// The bytes of stored records that the transaction may still read and write;
  /// `BrokerLimits.storedBytesPerTransaction` at its beginning.
  var storedBytesLeft: Int { get }

  /// What the transaction has done so far, in shares of what it may: 1 and above is spent.
  var spent: Double { get }

  /// Charges `byteCount` stored bytes to the transaction. Cascades charge theirs themselves.
  func spend(storedBytes byteCount: Int)

  /// The rows that a modify concerns. Stops at more than `Limits.storedBytesPerRequest`.
  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity
  ) throws -> ModifyRows

  /// Carries out what was planned from those rows, and deletes what goes with the records that it
  /// deletes, of a transaction at most `Limits.cascadePerTransaction`; the rest nobody can read from
  /// then on. Returns the outcome with what was taken along.
  func apply(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (outcome: ModifyOutcome, effects: CommitEffects)

  /// The rows that a greeting concerns; `generator` is used where a new account's derived name is
  /// taken.
  func gather(
    _ request: SignInRequest, using generator: inout some RandomNumberGenerator
  ) throws -> SignInRows

  /// Enters a device, and its account where that is new (with its standard zone); `identifiers`
  /// are used for what is new.
  func register(
    _ account: SignInPlan.AccountChoice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> StoredDevice

  /// Notes that a device was here, and reads what its greeting asks for.
  func enter(
    _ device: StoredDevice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> SignedIn

  /// Reads what the greeting of a known device asks for, and notes nothing; for a full disk.
  /// - Throws: `full`, where the account has no zones in this application yet.
  func admit(_ device: StoredDevice, _ request: SignInRequest) throws -> SignedIn

  /// Whether a device was revoked, or its account disabled.
  func isRevoked(_ identity: SessionIdentity) throws -> Bool

  /// Forgets the outcomes of a device up to `number`.
  func acknowledge(_ number: RequestNumber, of identity: SessionIdentity) throws

  /// The zones at `positions` that `identity` may read, in their order.
  func zones(
    at positions: [ZonePosition], of identity: SessionIdentity
  ) throws -> [AttachedZone]

  /// Has these fields kept in order from now on, and no others. What is new is empty, and no query
  /// uses it, until `fillIndexes` has been called often enough.
  func declareIndexes(_ indexes: [DeclaredIndex]) throws
}

/// Random names for what signing in may create.
package struct NewIdentifiers: Sendable {
  /// For a new account.
  package let account: AccountID
  /// For a new device, unless the greeting brings an id.
  package let device: DeviceID
  /// For the history of a new standard zone.
  package let incarnation: Incarnation

  /// Draws them.
  package init(using generator: inout some RandomNumberGenerator) {
    account = .random(using: &generator)
    device = .random(using: &generator)
    incarnation = .random(using: &generator)
  }
}

/// A page of a zone's feed.
package struct FeedPage: Hashable, Sendable {
  /// The states, by rising revision.
  package let changes: [Change]
  /// To where the page brings the reader: the head, when it holds all there was.
  package let to: Revision
  /// The damaged records that this and earlier pages of the zone left out.
  package let withheld: Set<RecordName>

  /// A page.
  package init(changes: [Change], to: Revision, withheld: Set<RecordName> = []) {
    self.changes = changes
    self.to = to
    self.withheld = withheld
  }
}

/// The time as queries need it.
package struct QueryClock: Sendable {
  /// What `now()` stands for.
  package let now: Timestamp
  /// Whether the page must not take long: then it may take only little for one record, too.
  package let isBrief: Bool
  /// Whether a page that began with this clock has taken too long.
  package let isOverdue: @Sendable () -> Bool

  /// A clock that began now.
  package init(
    now: Timestamp, isBrief: Bool = false, isOverdue: @escaping @Sendable () -> Bool
  ) {
    self.now = now
    self.isBrief = isBrief
    self.isOverdue = isOverdue
  }

  /// The same clock, which also ends a page for another reason.
  package func ending(when isOver: @escaping @Sendable () -> Bool) -> QueryClock {
    QueryClock(now: now, isBrief: isBrief) { isOverdue() || isOver() }
  }
}
