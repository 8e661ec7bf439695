// One subscription as the device keeps it: what the broker has, and what it has still to hear. What
// was wished here wins until the broker answered; after that its directory is the truth.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

struct SubscriptionRow {
  /// What the broker has still to hear.
  enum Wish: Int {
    /// Nothing.
    case none = 0
    /// The form is to be saved.
    case save = 1
    /// The subscription is to be deleted; people no longer see it.
    case delete = 2
    /// Nothing any more: the broker refused the form and has none.
    case refused = 3
    /// Nothing: the broker has a form that this version cannot read.
    case unreadable = 4
  }

  let id: SubscriptionID
  /// What the broker has.
  var known: SubscriptionForm?
  var wish = Wish.none
  /// What is to be saved, or was refused.
  var wished: SubscriptionForm?
  /// Whether it is to belong to this device; its id may not be known yet.
  var isForThisDevice = false
  /// Tells a wish from a later one.
  var generation: Int64 = 0
  /// Whether the broker switched it off.
  var isOff = false
  /// Why it was refused or switched off.
  var error: RecordsError?

  init(id: SubscriptionID) {
    self.id = id
  }

  init(_ row: Row) throws {
    id = SubscriptionID(stored: row["id"])
    known = try Self.form(row["known"])
    wish = Wish(rawValue: row["wish"]) ?? .none
    wished = try Self.form(row["wish_form"])
    isForThisDevice = row["own_device"]
    generation = row["generation"]
    isOff = row["off"]
    if let code = row["error_code"] as String? {
      error = RecordsError(
        ErrorCode(rawValue: code) ?? .internalError, row["error_message"] ?? "",
        hint: row["error_hint"] ?? "", field: row["error_field"], column: row["error_column"])
    }
  }

  private static func form(_ column: Data?) throws -> SubscriptionForm? {
    try column.map { try SubscriptionForm(encoded: [UInt8]($0)) }
  }

  /// The row of `id`, if there is one.
  static func load(_ db: Database, _ id: SubscriptionID) throws -> SubscriptionRow? {
    try db.row("SELECT * FROM subscription WHERE id = ?", [id.text]).map(SubscriptionRow.init)
  }

  /// Writes the row, or removes it where neither side has anything to say.
  func store(_ db: Database) throws {
    guard known != nil || wish != .none else {
      return try db.run("DELETE FROM subscription WHERE id = ?", [id.text])
    }
    try db.run(
      "INSERT OR REPLACE INTO subscription VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        id.text, known.map { Data($0.encoded) }, wish.rawValue, wished.map { Data($0.encoded) },
        isForThisDevice, generation, isOff, error?.code.rawValue, error?.message, error?.hint,
        error?.field, error?.column,
      ])
  }

  /// What is to be sent, as the broker reads it.
  func request(from device: DeviceID?) -> SubscriptionWish {
    let form = wish == .save ? wished.map { isForThisDevice ? $0.belonging(to: device) : $0 } : nil
    return SubscriptionWish(id: id, form: form, generation: generation)
  }
}

extension SubscriptionForm {
  /// The same, belonging to a device, or to the account.
  func belonging(to device: DeviceID?) -> SubscriptionForm {
    SubscriptionForm(
      id: id, device: device, database: database, kind: kind, options: options,
      firesOnce: firesOnce, includesOwnChanges: includesOwnChanges, notification: notification)
  }
}
