// The database interface of the broker, without SQL: a transaction in which requests are gathered, planned
// and applied one after the other, and reads that run concurrently with it. Calls block, so the daemon makes
// them on threads of their own. Every store must pass the contract suite
// (Tests/BrokerStoreTests/RecordStoreContract.swift).

import BrokerCore
import Predicates
import Records

/// The database of accounts, zones and records.
package protocol RecordStore: AssetStore, SubscriptionStore, SharingStore, ForeignCommits {
  /// Runs `body` in one durable transaction. After a return, the changes survive a power cut; after a throw,
  /// nothing was changed. Must always be called on the same thread.
  func transact<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Whether the write-ahead log is so long that `checkpoint` should be called soon.
  var needsCheckpoint: Bool { get }

  /// Copies the write-ahead log into the database. Must be called on the thread that calls `transact`,
  /// between two transactions.
  func checkpoint()

  /// Copies the write-ahead log into the database and truncates the log, so that the database's file alone has
  /// everything. Must be called after the last transaction, when nothing reads.
  func emptyLog()

  /// Returns a page of a zone's feed: the newest states of records above `request.after`, by ascending
  /// revision, from one snapshot of the database. Tombstones up to `request.scanStart` are left out.
  /// - Throws: `RecordsError` `changeTokenExpired` if the reader must start from the beginning,
  ///   `zoneNotFound` or `permissionFailure` if it must stop; `StoreError` if the disk fails.
  func page(_ request: PageRequest) throws -> FeedPage

  /// Returns the newest states of records, in the order of `ids`. A deleted record has its tombstone; a
  /// record that never existed, or that `identity` may not read, has `nil`.
  /// - Throws: `limitExceeded` if the records have more than `Limits.frameBytes` bytes together.
  func fetch(_ ids: [RecordID], of identity: SessionIdentity) throws -> [Change?]

  /// Returns the earlier versions of a record, below a revision if one is given, the latest first. Returns
  /// none if `identity` may not read the record.
  func history(
    _ id: RecordID, below: Revision?, of identity: SessionIdentity
  ) throws -> HistoryPage

  /// Returns the deleted records of a zone whose last version is still stored, below a revision if one is
  /// given, the latest first. Returns none if `identity` may not read the zone.
  func trash(
    _ zone: ZoneID, below: Revision?, of identity: SessionIdentity
  ) throws -> TrashPage

  /// Returns the records of a zone that one request of the device deleted, after a revision, including those
  /// deleted through references. Returns none if `identity` may not read the zone.
  func cascaded(
    _ zone: ZoneID, by number: RequestNumber, after: Revision, of identity: SessionIdentity
  ) throws -> CascadedPage

  /// Returns a page of a query over the records that `identity` may read.
  /// - Throws: `zoneNotFound`; `limitExceeded` if one record needs too many evaluation steps, or if the page
  ///   takes longer than `clock` allows.
  func query(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) throws -> FoundPage

  /// Returns the whole directory of `identity`, including deleted zones.
  func directory(of identity: SessionIdentity) throws -> DirectoryPage
}

/// A write transaction of a store. Each call sees the changes of earlier calls in the transaction.
package protocol StoreTransaction: AssetTransaction, SubscriptionTransaction,
  SharingTransaction, PairingTransaction, AdministrationTransaction, MaintenanceTransaction
{
  /// The bytes of stored records that the transaction may still read and write. Starts at
  /// `BrokerLimits.storedBytesPerTransaction`.
  var storedBytesLeft: Int { get }

  /// The used share of the transaction's limits. At 1 or above, the transaction should end.
  var spent: Double { get }

  /// Charges `byteCount` stored bytes to the transaction. Cascades charge their own bytes.
  func spend(storedBytes byteCount: Int)

  /// The time of the database's server, which brokers on one database have in common; `nil` if it has none.
  var time: Timestamp? { get }

  /// Leaves word of what the transaction changed for other brokers on the database. Must be called once, with the results of
  /// all its requests.
  func announce(_ results: [StorageResult])

  /// Reads ahead what the requests of the transaction will need, if the database is another process. Changes nothing that
  /// they do.
  func readAhead(_ requests: [StorageRequest]) throws

  /// Reads the rows that a modify request concerns. Stops reading records once they have more than
  /// `Limits.storedBytesPerRequest` bytes.
  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity
  ) throws -> ModifyRows

  /// Writes a plan that was made from those rows, and deletes the records that refer to deleted ones, at most
  /// `Limits.cascadePerTransaction` in a transaction. The remaining ones are hidden from all readers until a
  /// later job deletes them. Returns the outcome, including the records that were deleted through references.
  func apply(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (outcome: ModifyOutcome, effects: CommitEffects)

  /// Reads the rows that a sign-in concerns. `generator` is used if the derived name of a new account is
  /// taken.
  func gather(
    _ request: SignInRequest, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) throws -> SignInRows

  /// Inserts a device and, if the account is new, the account. `identifiers` has the ids of new rows.
  func register(
    _ account: SignInPlan.AccountChoice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> StoredDevice

  /// Records the sign-in of a device, creates the container's zones if they do not exist, and reads what the
  /// greeting asks for.
  func signIn(
    _ device: StoredDevice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> SignedIn

  /// Reads what the greeting of a known device asks for, without writing anything. For a full disk.
  /// - Throws: `full` if the container's zones do not exist yet.
  func signInReadOnly(_ device: StoredDevice, _ request: SignInRequest) throws -> SignedIn

  /// Whether the device was revoked, got a new key since it signed in, or belongs to a disabled account.
  func isRevoked(_ identity: SessionIdentity) throws -> Bool

  /// Allows the store to delete the device's outcomes up to `number`.
  func acknowledge(_ number: RequestNumber, of identity: SessionIdentity) throws

  /// Returns the zones at `positions`, in their order, with their rows if they exist and `identity` may read
  /// them.
  func zones(
    at positions: [ZonePosition], of identity: SessionIdentity
  ) throws -> [AttachedZone]

  /// Declares these indexes and drops all others. A new index is empty, and no query uses it until
  /// `fillIndexes` has filled it.
  func declareIndexes(_ indexes: [DeclaredIndex]) throws
}

/// Random identifiers for the rows that a sign-in may create.
package struct NewIdentifiers: Sendable {
  /// The id of a new account.
  package let account: AccountID
  /// The id of a new device, unless the greeting contains one.
  package let device: DeviceID
  /// The incarnation of a new zone.
  package let incarnation: Incarnation

  /// Draws all identifiers, also those that turn out not to be needed.
  package init(using generator: inout some RandomNumberGenerator) {
    account = .random(using: &generator)
    device = .random(using: &generator)
    incarnation = .random(using: &generator)
  }
}

/// A page of a zone's feed.
package struct FeedPage: Hashable, Sendable {
  /// The states, by ascending revision.
  package let changes: [Change]
  /// The revision that the page brings the reader to: the zone's head if the page is the last one.
  package let to: Revision
  /// The damaged records that this page and earlier pages of the zone left out.
  package let withheld: Set<RecordName>

  package init(changes: [Change], to: Revision, withheld: Set<RecordName> = []) {
    self.changes = changes
    self.to = to
    self.withheld = withheld
  }
}
