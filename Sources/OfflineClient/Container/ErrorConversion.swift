// Errors of the replica and of the disk, as programs get them.

import BrokerClient
import DeviceStore
import Records

import struct GRDB.DatabaseError

extension RecordError {
  /// Converts an error of the replica.
  init(anyError error: any Error) {
    switch error {
    case let error as RecordError: self = error
    case let error as RecordsError: self.init(error.withoutCommands)
    case let error as StoreError: self.init(error.recordsError)
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      self.init(
        RecordsError(
          .quotaExceeded, "The disk is full.", hint: "Free some disk space.", reason: "diskFull"))
    default: self.init(RecordsError(.internalError, "Unexpected error: \(error)."))
    }
  }

  /// Runs `body`, and converts its error.
  static func converting<Result>(
    _ body: () async throws -> Result
  ) async throws(RecordError) -> Result {
    do {
      return try await body()
    } catch {
      throw RecordError(anyError: error)
    }
  }
}

extension RecordsError {
  /// The error without a hint that names a command of the agent's client.
  fileprivate var withoutCommands: RecordsError {
    var error = self
    if hint.contains("contactsctl") { error.hint = "" }
    return error
  }
}

extension StoreError {
  fileprivate var recordsError: RecordsError {
    switch kind {
    case .full:
      RecordsError(.quotaExceeded, message, hint: "Free some disk space.", reason: "diskFull")
    case .inUse:
      RecordsError(.serviceUnavailable, message, reason: "inUse")
    case .newer:
      RecordsError(.incompatibleVersion, message, hint: "Update this program.")
    case .disk, .foreign, .unreadable, .damaged, .unexpected:
      RecordsError(.internalError, message)
    }
  }
}
