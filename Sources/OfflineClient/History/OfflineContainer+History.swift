// The actions of a device: undo, and the restoring of deleted records.

import BrokerClient
import DeviceDriver
import DeviceStore
import Foundation
import Records

/// One write transaction on this device, which can be undone.
public struct Action: Hashable, Sendable, Identifiable {
  /// The action's number, rising.
  public let id: Int64
  /// The title that the first changed record had after it.
  public let title: String
  /// The number of records and zones that it changed.
  public let editCount: Int
  /// When it took place, by this device's clock.
  public let date: Date
  /// Whether the action was undone.
  public let isUndone: Bool
}

/// The result of an undo.
public struct UndoResult: Hashable, Sendable {
  /// The action that was to be undone.
  public let undone: Action
  /// The number of the undo, which can be undone itself; `nil` if nothing changed.
  public let action: Int64?
  /// The number of records and zones that are as before the undone action.
  public let restoredCount: Int
  /// The number of records and zones that stay as they are, because they were changed since.
  public let keptCount: Int
}

/// A deleted record that can be restored.
public struct DeletedRecord: Hashable, Sendable, Identifiable {
  /// The record's id.
  public let id: RecordID
  /// Its type.
  public let recordType: String
  /// Its title; empty if its type has none.
  public let title: String
  /// When it was deleted, as far as this device knows.
  public let date: Date
}

extension Action {
  fileprivate init(_ view: ActionView, isUndone: Bool) {
    self.init(
      id: view.id, title: view.title, editCount: view.edits, date: Date(view.time),
      isUndone: isUndone)
  }
}

extension OfflineContainer {
  /// Returns the newest actions of this device, newest first.
  public func actions(limit: Int = 100) throws(RecordsError) -> [Action] {
    try reading { reader in
      try reader.actions(limit: limit).map { Action($0, isUndone: $0.undoneBy != nil) }
    }
  }

  /// Undoes an action of this device. Fields that were changed since stay as they are. If all of them were, nothing
  /// changes, and the action counts as not undone. The next call without a number then undoes an older action.
  /// - Parameter action: The number of the action; `nil` for the newest that was not undone, except actions that an
  ///   earlier call without a number could not undo.
  /// - Throws: `unknownItem` if there is no such action; `invalidArguments` if it was undone already;
  ///   `permissionFailure` in a zone that may no longer be written; name an older action to undo that.
  @discardableResult
  public func undo(_ action: Int64? = nil) async throws(RecordsError) -> UndoResult {
    try checkIsOpen()
    return try await RecordsError.converting {
      let report = try await driver.edit { replica, now in
        let (report, actions) = try replica.undo(action: action, now: now)
        return (report, actions)
      }
      return UndoResult(
        undone: Action(report.undone, isUndone: report.action != nil), action: report.action,
        restoredCount: report.setBack.count,
        keptCount: report.leftAlone.count)
    }
  }

  /// Returns deleted records that can be restored, the latest first.
  public func deletedRecords(limit: Int = 100) throws(RecordsError) -> [DeletedRecord] {
    try reading { reader in
      try reader.trash(before: nil, limit: limit).map { view in
        DeletedRecord(
          id: RecordID(view.id), recordType: view.type.text, title: view.title,
          date: Date(view.time))
      }
    }
  }

  /// Restores a deleted record as it was.
  /// - Throws: `unknownItem` if it is not among the deleted records; `zoneNotFound` if its zone was deleted;
  ///   `serverRecordChanged` if there is a record of this name again.
  public func restoreRecord(withID id: RecordID) async throws(RecordsError) {
    try checkIsOpen()
    try await RecordsError.converting {
      let stored = try id.stored(in: .private)
      try await driver.edit { replica, now in
        ((), try replica.restore([stored.name], in: stored.zone, now: now).actions)
      }
    }
  }
}
