// Errors of the replica and of the disk, as programs get them.

import BrokerClient
import DeviceStore
import Records

import struct GRDB.DatabaseError

extension RecordsError {
  /// Converts an error of the replica.
  init(anyError error: any Error) {
    switch error {
    case let error as RecordsError: self = error.withFunctions
    case let error as StoreError: self = error.recordsError
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      self.init(
        .quotaExceeded, "The disk is full.", hint: "Free some disk space.", reason: "diskFull")
    default: self.init(.internalError, "Unexpected error: \(error).")
    }
  }

  /// Runs `body`, and converts its error.
  static func converting<Result>(
    _ body: () async throws -> Result
  ) async throws(RecordsError) -> Result {
    do {
      return try await body()
    } catch {
      throw RecordsError(anyError: error)
    }
  }
}

extension RecordsError {
  /// The error with a hint that names functions of this library, where one helps.
  fileprivate var withFunctions: RecordsError {
    guard let hint = Self.hint(code, reason) else { return self }
    var error = self
    error.hint = hint
    return error
  }

  private static func hint(_ code: RecordsError.Code, _ reason: String?) -> String? {
    switch (code, reason) {
    case (.notAuthenticated, "signedOut"), (.notAuthenticated, "revoked"):
      "Call `join(_:address:existingRecords:)` with a new invitation, or `signIn(account:)`."
    case (.notAuthenticated, "notJoined"), (.notAuthenticated, "invitationNeeded"),
      (.notAuthenticated, "unknownDevice"):
      "Create an invitation with `inviteDevice(validSeconds:)` on another device of the account, and "
        + "call `join(_:address:existingRecords:)` with it."
    case (.notAuthenticated, "wrongKey"):
      "Call `signOut(discardingEdits:)`, then join by a new invitation."
    case (.constraintViolation, "signedIn"):
      "Call `signOut(discardingEdits:)` first, which erases the account's records here."
    case (.permissionFailure, "keyOfOtherAccount"), (.notAuthenticated, "otherAccount"):
      "Call `signOut(discardingEdits:)`, which makes a new key. Then join again."
    case (.invalidArguments, "otherAccountName"):
      "Set `accountName` of the configuration to the account of the file, or to nil."
    case (.serviceUnavailable, "notConnected"): "Try again when the status is live."
    case (.invalidArguments, "missingAddress"):
      "Pass the address of the broker, HOST:PORT, as `address`."
    case (.serviceUnavailable, "unsentEdits"), (.serviceUnavailable, "unsentAndRejectedEdits"):
      "Call `synchronize(waitSeconds:)` to send the edits, or discard them: "
        + "`signOut(discardingEdits: true)`."
    case (.constraintViolation, "rejectedEdits"):
      "See `rejectedEdits()`. `signOut(discardingEdits: true)` discards them."
    default: nil
    }
  }
}

extension StoreError {
  fileprivate var recordsError: RecordsError {
    switch kind {
    case .full:
      RecordsError(.quotaExceeded, message, hint: "Free some disk space.", reason: "diskFull")
    case .inUse:
      RecordsError(.serviceUnavailable, message, reason: "inUse")
    case .otherVersion:
      RecordsError(.incompatibleVersion, message)
    case .unreachable:
      RecordsError(.serviceUnavailable, message, reason: "unreachable")
    case .disk, .foreign, .unreadable, .damaged, .unexpected:
      RecordsError(.internalError, message)
    }
  }
}
