// One subscription as the device stores it: the broker's form, and the pending change that the broker has not
// confirmed. A pending change takes precedence until the broker answers. After that the directory does.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// A row of the `subscription` table.
struct SubscriptionRow {
  /// The change that the broker has not confirmed, or the reason why there is none.
  enum PendingChange: Int {
    /// No change is pending.
    case none = 0
    /// The form is to be saved.
    case save = 1
    /// The subscription is to be deleted. It is not listed any more.
    case delete = 2
    /// No change is pending: the broker rejected the form and has none of this id.
    case refused = 3
    /// No change is pending: the broker has a form that this version cannot read.
    case unreadable = 4
  }

  let id: SubscriptionID
  /// The broker's form.
  var known: SubscriptionForm?
  var pendingChange = PendingChange.none
  /// The form that is to be saved, or was rejected.
  var pendingForm: SubscriptionForm?
  /// Whether the pending form belongs to this device, whose id may not be known yet.
  var isForThisDevice = false
  /// Distinguishes a pending change from a later one.
  var generation: Int64 = 0
  /// Whether the broker switched the subscription off.
  var isOff = false
  /// The reason why it was rejected or switched off.
  var error: RecordsError?

  init(id: SubscriptionID) {
    self.id = id
  }

  init(_ row: Row) throws {
    id = SubscriptionID(stored: row["id"])
    known = try Self.form(row["known"])
    pendingChange = PendingChange(rawValue: row["pending_change"]) ?? .none
    pendingForm = try Self.form(row["pending_form"])
    isForThisDevice = row["own_device"]
    generation = row["generation"]
    isOff = row["off"]
    if let code = row["error_code"] as String? {
      error = RecordsError(
        RecordsError.Code(rawValue: code) ?? .internalError, row["error_message"] ?? "",
        hint: row["error_hint"] ?? "", field: row["error_field"], column: row["error_column"])
    }
  }

  private static func form(_ column: Data?) throws -> SubscriptionForm? {
    try column.map { try SubscriptionForm(encoded: [UInt8]($0)) }
  }

  /// Returns the row of `id`, if there is one.
  static func load(_ db: Database, _ id: SubscriptionID) throws -> SubscriptionRow? {
    try db.row("SELECT * FROM subscription WHERE id = ?", [id.text]).map(SubscriptionRow.init)
  }

  /// Writes the row, or deletes it if the broker has no form and no change is pending.
  func store(_ db: Database) throws {
    guard known != nil || pendingChange != .none else {
      return try db.run("DELETE FROM subscription WHERE id = ?", [id.text])
    }
    try db.run(
      "INSERT OR REPLACE INTO subscription VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        id.text, known.map { Data($0.encoded) }, pendingChange.rawValue,
        pendingForm.map { Data($0.encoded) },
        isForThisDevice, generation, isOff, error?.code.rawValue, error?.message, error?.hint,
        error?.field, error?.column,
      ])
  }

  /// Returns the pending change for the broker.
  func request(from device: DeviceID?) -> PendingSubscriptionChange {
    let form =
      pendingChange == .save
      ? pendingForm.map { isForThisDevice ? $0.belonging(to: device) : $0 } : nil
    return PendingSubscriptionChange(id: id, form: form, generation: generation)
  }
}

extension SubscriptionForm {
  /// Returns the same subscription of a device, or of the account.
  func belonging(to device: DeviceID?) -> SubscriptionForm {
    SubscriptionForm(
      id: id, device: device, database: database, kind: kind, options: options,
      firesOnce: firesOnce, includesOwnChanges: includesOwnChanges, notification: notification)
  }
}
