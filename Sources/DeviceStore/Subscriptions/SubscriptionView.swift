// Subscriptions as the device lists them, with their pending changes applied.

import GRDB
import Records
import SQLiteFile

/// A subscription with its state.
package struct SubscriptionView: Hashable, Sendable {
  /// The state of a subscription on the broker.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// The broker has not confirmed it.
    case saving
    /// The broker has it.
    case saved
    /// The broker rejected it and has none of this id.
    case refused
    /// The broker has it and switched it off.
    case off
    /// The broker has one that only a later version of this program can read.
    case unreadable
  }

  /// The saved form. If it cannot be read, only its id is meaningful.
  package let form: SubscriptionForm
  /// Its state.
  package let state: State
  /// The reason why it is rejected or off; for a saved subscription, the reason why its last change was rejected.
  package let error: RecordsError?
  /// Whether it belongs to this device instead of the account.
  package let isForThisDevice: Bool
  /// The command that this device runs for each notification; `nil` for none.
  package let command: String?
}

extension DeviceReader {
  /// Returns the subscriptions of the account and of this device, by id, without the application's own.
  package func subscriptions() throws -> [SubscriptionView] {
    try database.read { db in
      let device = try Self.ownDevice(db)
      return try db.rows(
        """
        SELECT * FROM subscription WHERE pending_change <> 2 AND \(ReplicaSubscriptionTable.isOfPeople(rules))
        ORDER BY id LIMIT \(DeviceLimits.subscriptions)
        """
      ).compactMap { try Self.subscription(SubscriptionRow($0), device, db) }
    }
  }

  /// Returns a subscription; `nil` if there is none of this id.
  package func subscription(_ id: SubscriptionID) throws -> SubscriptionView? {
    try database.read { db in
      let device = try Self.ownDevice(db)
      return try SubscriptionRow.load(db, id).flatMap { try Self.subscription($0, device, db) }
    }
  }

  static func ownDevice(_ db: Database) throws -> DeviceID? {
    DeviceID(column: try db.row("SELECT device FROM identity")?["device"])
  }

  private static func subscription(
    _ row: SubscriptionRow, _ device: DeviceID?, _ db: Database
  ) throws -> SubscriptionView? {
    let state: SubscriptionView.State
    switch row.pendingChange {
    case .none: state = row.isOff ? .off : .saved
    case .save: state = .saving
    case .refused: state = .refused
    case .unreadable: state = .unreadable
    case .delete: return nil
    }
    guard let form = row.pendingForm ?? row.known ?? (state == .unreadable ? .unread(row.id) : nil)
    else { return nil }
    let isOwn =
      row.pendingForm == nil
      ? form.device != nil && form.device == device
      : row.isForThisDevice
    return SubscriptionView(
      form: form, state: state, error: row.error, isForThisDevice: isOwn,
      command: try HookTable.command(of: row.id, db))
  }
}

extension SubscriptionForm {
  /// A placeholder for a subscription of which only the id can be read.
  fileprivate static func unread(_ id: SubscriptionID) -> SubscriptionForm {
    SubscriptionForm(
      id: id, kind: .database(type: nil), options: [])
  }
}
