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
  /// The error with a hint that names functions of this library, or with none, instead of one that names a command of
  /// the agent.
  fileprivate var withoutCommands: RecordsError {
    guard Self.agentWords.contains(where: hint.contains) else { return self }
    var error = self
    error.hint = reason.flatMap { Self.libraryHints[$0] } ?? ""
    return error
  }

  /// The words of hints for users of the agent.
  private static let agentWords = ["contactsctl", "contactsd", "state directory", "the agent"]

  /// The hints of this library, by the reasons of the errors.
  private static let libraryHints: [String: String] = [
    "signedOut": signInHint,
    "revoked": signInHint,
    "notJoined": joinHint,
    "invitationNeeded": joinHint,
    "unknownDevice": joinHint,
    "signedIn": "Call `signOut(discardingEdits:)` first, which erases the account's records here.",
    "otherAccount": "Call `signOut(discardingEdits:)`, which makes a new key. Then join again.",
    "wrongKey": "Call `signOut(discardingEdits:)`, then join by a new invitation.",
    "otherAccountName":
      "Set `accountName` of the configuration to the account of the file, or to nil.",
    "notConnected": "Try again when the status is live.",
    "missingAddress": "Pass the address of the broker, HOST:PORT, as `address`.",
    "unsentEdits":
      "Call `synchronize(waitSeconds:)` to send the edits, or discard them: "
      + "`signOut(discardingEdits: true)`.",
    "rejectedEdits": "See `rejectedEdits()`. `signOut(discardingEdits: true)` discards them.",
  ]
  private static let signInHint =
    "Call `join(_:address:existingRecords:)` with a new invitation, or `signIn(account:)`."
  private static let joinHint =
    "Create an invitation with `inviteDevice(validSeconds:)` on another device of the account, and "
    + "call `join(_:address:existingRecords:)` with it."
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
