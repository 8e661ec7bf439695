// The errors of the library: one type with a closed list of codes for programs and a message for people.

import Records

/// An error of the broker or of this library. CloudKit: `CKError`.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. The names are CloudKit's where the meaning is the same.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The broker cannot be reached. Try again later.
    case networkUnavailable
    /// The broker is stopping, or its disk is full. Try again later.
    case serviceUnavailable
    /// The client sends too many requests at once. Try again later.
    case requestRateLimited
    /// The user has no account, or the device was revoked.
    case notAuthenticated
    /// The account has no permission for the operation.
    case permissionFailure
    /// The record or subscription does not exist.
    case unknownItem
    /// A name, predicate or value is malformed.
    case invalidArguments
    /// The record was changed since it was fetched. `serverRecord` is its current state.
    case serverRecordChanged
    /// The operation violates a rule between several values.
    case constraintViolation
    /// The change token is too old. Read the zone from the start.
    case changeTokenExpired
    /// Another operation of the same atomic group failed.
    case batchRequestFailed
    /// The broker is working on the zone. Try again later.
    case zoneBusy
    /// The account has reached its quota.
    case quotaExceeded
    /// The zone does not exist, or the account has no access to it.
    case zoneNotFound
    /// A limit is exceeded. The message states the limit.
    case limitExceeded
    /// The share has the maximum number of participants.
    case tooManyParticipants
    /// The zone is already shared.
    case alreadyShared
    /// A reference is not allowed, or the referenced record does not exist.
    case referenceViolation
    /// The broker does not have the asset's file.
    case assetNotAvailable
    /// Some of several operations failed.
    case partialFailure
    /// The task was cancelled or the container closed. A request that was sent may have been applied.
    case operationCancelled
    /// The broker did not answer in time. The request may have been applied; if not, it is sent again.
    case serverResponseLost
    /// The program or the broker is too old for the request.
    case incompatibleVersion
    /// The broker has failed internally and logged the cause.
    case internalError
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence that says what happened.
  public let message: String
  /// A sentence that says what to do about it; empty if there is nothing to do.
  public let hint: String
  /// The time after which a retry makes sense; `nil` if a retry cannot succeed.
  public let retryAfter: Duration?
  /// The name of the record that caused the error, if any.
  public let recordName: String?
  /// The key of the field that caused the error, if any.
  public let field: String?
  /// The column of the error in a predicate, counted from 1.
  public let column: Int?
  /// A more specific kind within `code`, if any.
  public let reason: String?
  /// With `serverRecordChanged`, the current record at the broker: merge the edit into it and save it.
  /// `nil` if the record was deleted. CloudKit: `CKRecordChangedErrorServerRecordKey`.
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

  /// The message, followed by the hint.
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
