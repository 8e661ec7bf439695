// The status of an offline container, and the edits that the broker rejected.

import BrokerClient
import BrokerLinks
import DeviceDriver
import DeviceStore
import Foundation
import Records
import SyncCore

/// The status of an offline container.
public struct OfflineStatus: Hashable, Sendable {
  /// The relation of the device to the broker.
  public enum Connection: Hashable, Sendable {
    /// There is no connection, or the broker does not answer on it. The container tries again by itself, unless it has
    /// no broker.
    case offline
    /// A connection is being opened.
    case connecting
    /// The device receives the changes that it missed.
    case catchingUp
    /// The device receives every change as it is made.
    case live
    /// The broker rejects the device, for this reason. The container asks again from time to time.
    ///
    /// With the reason `revoked` the device was removed from the account, and with `signedOut` the user signed out.
    /// The records are then erased, and saves fail until the program calls
    /// `OfflineContainer.join(_:address:existingRecords:)` or `OfflineContainer.signIn(account:)`. The file can be
    /// used again.
    case rejected(RecordsError)
  }

  /// The relation to the broker.
  public let connection: Connection
  /// The account; `nil` before its first connection.
  public let userID: UserID?
  /// The account's name; `nil` before its first connection.
  public let accountName: String?
  /// The number of records and zones with edits that the broker has not confirmed.
  public let pendingEditCount: Int
  /// The number of unresolved conflicts.
  public let conflictCount: Int
  /// The number of edits that the broker rejected; see `rejectedEdits()`.
  public let rejectedEditCount: Int
  /// When the device was last live; `nil` if it never was.
  public let lastSyncDate: Date?
  /// Why the last connection ended, or could not be opened; `nil` once the device is live again.
  public let connectionError: RecordsError?
}

/// An edit that the broker rejected. The record is as the broker has it, and the edit is kept here until it is
/// dismissed.
public struct RejectedEdit: Hashable, Sendable, Identifiable {
  /// The number of the edit on this device.
  public let id: Int64
  /// The record; `nil` for an edit of a zone.
  public let recordID: RecordID?
  /// The zone.
  public let zoneID: ZoneID
  /// The title of the record; empty if its type has none.
  public let title: String
  /// Why the broker rejected it, in a sentence.
  public let message: String
  /// The fields that the edit set.
  public let fields: [String: Value]
  /// Whether the edit was a deletion.
  public let isDeletion: Bool
}

extension OfflineContainer {
  /// Returns the status.
  public func status() throws(RecordsError) -> OfflineStatus {
    let status = try reading { try $0.status() }
    return OfflineStatus(
      connection: OfflineStatus.Connection(driver.phase),
      userID: status.account.map(UserID.init), accountName: status.accountName,
      pendingEditCount: status.waitingEdits, conflictCount: status.conflicts,
      rejectedEditCount: status.rejectedEdits, lastSyncDate: status.lastSync.map { Date($0) },
      connectionError: connectionError)
  }

  private var connectionError: RecordsError? {
    if case .missing = driver.responsiveness {
      // Without the time, which would make each status differ from the one before.
      return RecordsError(.serviceUnavailable, "The broker does not answer.")
    }
    return driver.connectionFailure.map { RecordsError(anyError: $0) }
  }

  /// Returns the status now, and again when the connection, or the number of pending edits, rejected edits or conflicts
  /// has changed: also when the broker has confirmed an edit. CloudKit: the events of `CKSyncEngineDelegate`.
  ///
  /// Changes that follow each other faster than the program reads, or within a tenth of a second, are combined: it
  /// always gets the newest status. The sequence ends when the container is closed.
  public func observeStatus() -> StatusObservation { StatusObservation(self) }

  /// Checks the container's file, for users who doubt their disk. Reads everything: some tenths of a second for ten
  /// thousand records.
  /// - Returns: What is wrong, a sentence each; none if all is well.
  public func findings() throws(RecordsError) -> [String] { try reading { try $0.findings() } }

  /// Waits until the broker has all edits of this device, and this device has all changes that the broker had at the
  /// call.
  ///
  /// Nothing depends on this function: the container sends and receives by itself. It is for programs that end
  /// soon, and for tests.
  /// - Parameter waitSeconds: How long to wait, also while there is no connection. A container without a broker does
  ///   not wait.
  /// - Returns: Whether that was reached in time. If not, `status().connectionError` may say why.
  /// - Throws: `notAuthenticated`, reason `signedOut` or `revoked`, if the container has no account any more.
  public func synchronize(waitSeconds: Double = 30) async throws(RecordsError) -> Bool {
    try checkIsOpen()
    guard !broker.addressing.endpoints.isEmpty else { return false }
    return try await RecordsError.converting {
      if let reason = try driver.reader.signOutReason() { throw reason }
      await driver.brokerAppeared()
      async let isRead = readPublicRecords(waitSeconds: waitSeconds)
      let isDone = try await driver.synchronize(waitSeconds: waitSeconds)
      return try await isRead && isDone && driver.reader.status().heldDeletions == 0
    }
  }

  /// Reads the public database, of whose changes the broker notifies a device later.
  private func readPublicRecords(waitSeconds: Double) async throws -> Bool {
    guard !configuration.publicTypes.isEmpty else { return true }
    return try await driver.refreshPublicRecords(waitSeconds: waitSeconds) == .done
  }

  /// Returns the edits that the broker rejected, oldest first, 1,000 at most.
  public func rejectedEdits() throws(RecordsError) -> [RejectedEdit] {
    try reading { try $0.rejectedEdits().map { try RejectedEdit($0) } }
  }

  /// Forgets a rejected edit, after the user has seen it.
  public func dismiss(_ edit: RejectedEdit) async throws(RecordsError) {
    try checkIsOpen()
    try await RecordsError.converting {
      try await driver.edit { replica, _ in
        try replica.dismiss(rejectedEdit: edit.id)
        return ((), [])
      }
    }
  }
}

extension OfflineStatus.Connection {
  init(_ phase: Phase) {
    switch phase {
    case .offline: self = .offline
    case .connecting: self = .connecting
    case .catchingUp: self = .catchingUp
    case .live: self = .live
    case .refused(let error): self = .rejected(RecordsError(anyError: error))
    }
  }
}

extension RejectedEdit {
  init(_ view: RejectedEditView) throws(RecordsError) {
    id = view.id
    zoneID = ZoneID(view.zone)
    recordID = view.name.map { RecordID(recordName: $0.text, zoneID: ZoneID(view.zone)) }
    title = view.title
    message = view.message
    fields = try [String: Value](EncodedRecord(view.changes.set))
    isDeletion = view.isDeletion
  }
}
