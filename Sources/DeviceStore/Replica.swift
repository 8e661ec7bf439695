// One device: its store and its sync machine, without sockets, clocks or tasks. A driver (the agent
// daemon, or a simulation) calls one method at a time from one serial executor and then does what
// the returned actions say; when a method returns, what it decided is on disk.

import Records
import SyncCore

/// One device of an account.
package final class Replica {
  /// Reads what the device shows; usable from any task while the replica works.
  package let reader: DeviceReader

  /// How the device stands to its broker now.
  package var phase: Phase { preconditionFailure("being written") }

  /// Opens a device over `database`. On a new one the bundled contacts are written, in the same
  /// transaction that makes the device's identity.
  /// - Parameters:
  ///   - settings: who this is; `accountName` may not change once a broker has welcomed the device.
  ///   - bundled: the contacts of the first run, in order; none in tests that want none.
  ///   - generator: where keys, ids and back-off come from.
  /// - Throws: `StoreError`.
  package init(
    database: DeviceDatabase, settings: DeviceSettings, bundled: [Fields],
    generator: any RandomNumberGenerator, now: Timestamp
  ) throws {
    preconditionFailure("being written")
  }

  /// The first actions: to connect. Called once.
  package func start() -> [SyncAction] { preconditionFailure("being written") }

  /// Does a person's (or program's) action: all of `edits` or none, durable on return, visible to
  /// readers, sent when the broker can be reached.
  /// - Parameter isAsked: `false` for edits nobody typed (imports, external clients), whose
  ///   deletions the guard may hold.
  /// - Throws: `RecordsError` – `unknownItem`, `serverRecordChanged` (an expectation failed),
  ///   `permissionFailure` (a group one may only read), `zoneNotFound`, `limitExceeded`,
  ///   `invalidArguments` – or `StoreError`; then nothing was done.
  package func edit(
    _ edits: [LocalEdit], isAsked: Bool = true, now: Timestamp
  ) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// Resolves a conflict: `theirs` keeps what is, `mine` sets the value that lost, `both` keeps
  /// both where the field can hold them. The conflict's record is deleted in the same action.
  /// - Throws: `unknownItem`, `invalidArguments`, or `StoreError`.
  package func resolve(
    conflict: RecordID, choice: ConflictChoice, now: Timestamp
  ) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// Forgets a parked edit: its author has seen it.
  package func dismiss(parked: Int64) throws { preconditionFailure("being written") }

  /// Sends the deletions that the guard holds.
  package func acceptDeletions(now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// Takes back the deletions that the guard holds: the records show again.
  package func refuseDeletions(now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// Asks to be told (`SyncAction.synchronized` with this id) once everything is sent and
  /// everything committed before has been read. An id is used once; unanswered waits are forgotten
  /// with `forgetSynchronize`.
  package func synchronize(id: UInt64, now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// Gives up a wait.
  package func forgetSynchronize(id: UInt64) { preconditionFailure("being written") }

  /// The connection that was asked for is open.
  package func connected(now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// The connection is gone, or could not be made. Ignored when there is none.
  package func disconnected(now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// The broker's socket has appeared: an attempt to connect is worth making at once.
  package func brokerAppeared() -> [SyncAction] { preconditionFailure("being written") }

  /// A message came from the broker.
  /// - Parameter replyTo: the correlation number of the message it answers; `nil` or 0 for none.
  /// - Throws: `StoreError`; the state is as before, and the driver should drop the connection
  ///   (`disconnected`) and go on.
  package func received(
    _ message: BrokerMessage, replyTo: UInt64?, now: Timestamp
  ) throws -> [SyncAction] {
    preconditionFailure("being written")
  }

  /// A timer that an action set has run out.
  package func fired(_ timer: SyncTimer, now: Timestamp) throws -> [SyncAction] {
    preconditionFailure("being written")
  }
}

/// Who a device is.
package struct DeviceSettings: Hashable, Sendable {
  /// The application's namespace.
  package var container: String
  /// The account to ask for; `nil` leaves it to the broker (by uid or device key).
  package var accountName: String?
  /// The device's name, shown to people.
  package var deviceName: String

  /// Settings of a device.
  package init(container: String = "contacts", accountName: String?, deviceName: String) {
    self.container = container
    self.accountName = accountName
    self.deviceName = deviceName
  }
}
