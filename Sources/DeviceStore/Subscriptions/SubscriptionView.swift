// Subscriptions as the device shows them: what holds, or will as soon as the broker heard of it.

import GRDB
import Records
import SQLiteFile

/// A subscription as this device shows it.
package struct SubscriptionView: Hashable, Sendable {
  /// How it stands with the broker.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// The broker has still to hear of it.
    case saving
    /// The broker has it.
    case saved
    /// The broker refused it and has none under this id.
    case refused
    /// The broker has it and switched it off.
    case off
    /// The broker has one that only a later version of this program can read.
    case unreadable
  }

  /// What was saved; of one that cannot be read only the id is.
  package let form: SubscriptionForm
  /// How it stands.
  package let state: State
  /// Why it is refused or off; of a saved one, why a later change of it was refused.
  package let error: RecordsError?
  /// Whether it belongs to this device alone.
  package let isForThisDevice: Bool
  /// The command that is run here; `nil` for none.
  package let command: String?
}

extension DeviceReader {
  /// The account's subscriptions and this device's, by id, without those that devices save without being
  /// asked.
  package func subscriptions() throws -> [SubscriptionView] {
    try database.read { db in
      let device = try Self.ownDevice(db)
      return try db.rows(
        """
        SELECT * FROM subscription WHERE wish <> 2 AND \(ReplicaSubscriptionTable.isOfPeople(rules))
        ORDER BY id LIMIT \(DeviceLimits.subscriptions)
        """
      ).compactMap { try Self.subscription(SubscriptionRow($0), device, db) }
    }
  }

  /// One subscription; `nil` if there is none.
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
    switch row.wish {
    case .none: state = row.isOff ? .off : .saved
    case .save: state = .saving
    case .refused: state = .refused
    case .unreadable: state = .unreadable
    case .delete: return nil
    }
    guard let form = row.wished ?? row.known ?? (state == .unreadable ? .unread(row.id) : nil)
    else { return nil }
    let isOwn =
      row.wished == nil
      ? form.device != nil && form.device == device
      : row.isForThisDevice
    return SubscriptionView(
      form: form, state: state, error: row.error, isForThisDevice: isOwn,
      command: try HookTable.command(of: row.id, db))
  }
}

extension SubscriptionForm {
  /// What stands for a subscription of which nothing but the id can be read.
  fileprivate static func unread(_ id: SubscriptionID) -> SubscriptionForm {
    SubscriptionForm(
      id: id, kind: .database(type: nil), options: [])
  }
}
