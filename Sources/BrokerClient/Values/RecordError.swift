// Everything that can go wrong, in one type with a closed list of codes: programs decide by the code,
// people read the sentences.

import Records

/// What went wrong. CloudKit: `CKError`.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds; named as CloudKit's where those fit.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// No broker answers. Trying later helps.
    case networkUnavailable
    /// The broker stops, or its disk is full. Trying later helps.
    case serviceUnavailable
    /// Too much at once. Trying later helps.
    case requestRateLimited
    /// There is no account for this user, or the device was revoked.
    case notAuthenticated
    /// The account may not do that.
    case permissionFailure
    /// There is no such record or subscription.
    case unknownItem
    /// Malformed: a name, a predicate, a value.
    case invalidArguments
    /// The record was changed meanwhile; `serverRecord` is what the broker has.
    case serverRecordChanged
    /// Against a rule about several things.
    case constraintViolation
    /// The token is too old: read the zone from the start.
    case changeTokenExpired
    /// Another operation of the same atomic group failed.
    case batchRequestFailed
    /// The zone is being worked on. Trying later helps.
    case zoneBusy
    /// Beyond what the account may hold.
    case quotaExceeded
    /// There is no such zone, or not for this account.
    case zoneNotFound
    /// Beyond a limit; the message states it.
    case limitExceeded
    /// A share has as many participants as it can.
    case tooManyParticipants
    /// The zone is shared already.
    case alreadyShared
    /// A reference that may not be.
    case referenceViolation
    /// The file behind an asset is not there.
    case assetNotAvailable
    /// Some of several operations failed.
    case partialFailure
    /// The task was cancelled, or the container closed. What was sent may have been done.
    case operationCancelled
    /// No answer came in time. What was asked may have been done, and is still sent.
    case serverResponseLost
    /// One side is too old for what was asked.
    case incompatibleVersion
    /// A fault of the broker, logged there.
    case internalError
  }

  /// The kind.
  public let code: Code
  /// What happened, in one sentence.
  public let message: String
  /// What to do about it; empty where there is nothing to be done.
  public let hint: String
  /// After how long trying again helps; `nil` where it never does.
  public let retryAfter: Duration?
  /// The record it is about, where there is one.
  public let recordName: String?
  /// The field it is about, where there is one.
  public let field: String?
  /// The column of a predicate it is about, from 1.
  public let column: Int?
  /// A finer kind within `code`, where there is one.
  public let reason: String?
  /// With `serverRecordChanged`, the record as the broker has it: merge into it and save that.
  /// `nil` where the broker has none. CloudKit: `CKRecordChangedErrorServerRecordKey`.
  public private(set) var serverRecord: Record?

  init(_ error: RecordsError, serverRecord: Record? = nil) {
    code = Code(rawValue: error.code.rawValue) ?? .internalError
    message = error.message
    hint = error.hint
    retryAfter = error.retryAfterSeconds.map { .seconds($0) }
    recordName = error.record?.text
    field = error.field
    column = error.column
    reason = error.reason
    self.serverRecord = serverRecord
  }

  init(_ code: ErrorCode, _ message: String, hint: String = "", retryAfterSeconds: Int? = nil) {
    self.init(RecordsError(code, message, hint: hint, retryAfterSeconds: retryAfterSeconds))
  }

  /// The message, and the hint behind it.
  public var description: String { hint.isEmpty ? message : "\(message) \(hint)" }

  var isTransient: Bool { ErrorCode(rawValue: code.rawValue)?.isTransient ?? false }

  static func translating<Result>(
    _ body: () throws(RecordsError) -> Result
  ) throws(RecordError) -> Result {
    do throws(RecordsError) {
      return try body()
    } catch {
      throw RecordError(error)
    }
  }
}
