// The error type of the library, with a fixed list of codes for programs and a message for users.

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
    /// The broker rejected the sign-in: the user has no account, the account is disabled, the device was
    /// revoked, or its key was replaced. `reason` tells them apart.
    case notAuthenticated
    /// The account has no permission for the operation.
    case permissionFailure
    /// The record or subscription does not exist.
    case unknownItem
    /// A name, predicate or value is malformed.
    case invalidArguments
    /// The record was changed since it was fetched. `serverRecord` is its current state.
    case serverRecordChanged
    /// The operation violates a rule across several objects, such as saving a record with another type.
    case constraintViolation
    /// The change token is too old, or the zone has another history because the broker was restored from a
    /// backup. Read the zone from the start.
    case changeTokenExpired
    /// Another operation of the same atomic group failed.
    case batchRequestFailed
    /// The broker has too much work in progress for the zone. Try again later.
    case zoneBusy
    /// The account has reached its quota.
    case quotaExceeded
    /// The zone does not exist, or the account has no access to it.
    case zoneNotFound
    /// A limit is exceeded. The message states the limit.
    case limitExceeded
    /// The share has the maximum number of participants.
    case tooManyParticipants
    /// The zone is already shared. The broker does not send this code.
    case alreadyShared
    /// A `deleteSelf` reference names a record that does not exist.
    case referenceViolation
    /// The broker does not have the asset's file.
    case assetNotAvailable
    /// Some of the operations of one call failed. See `ModifyResults.failures`.
    case partialFailure
    /// The task was cancelled or the container closed. A request that was sent may have been applied.
    case operationCancelled
    /// The broker did not answer in time. It may have applied the request. If it has not, the library still
    /// sends a write again after it has reconnected.
    case serverResponseLost
    /// The program or the broker is too old for the request.
    case incompatibleVersion
    /// The broker failed and logged the cause. With the reason `damaged`, the record is damaged on its disk.
    case internalError
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence that says what happened.
  public let message: String
  /// A sentence that says what to do about it; empty if there is nothing to do.
  public let hint: String
  /// The time after which a retry may succeed; `nil` if a retry cannot succeed.
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
  /// `nil` if the record was deleted, or if the broker omitted it (`reason` is `omitted`; fetch it then).
  /// CloudKit: `CKRecordChangedErrorServerRecordKey`.
  public private(set) var serverRecord: Record?

  /// Converts an error of the broker or of a device.
  package init(_ error: RecordsError, serverRecord: Record? = nil) {
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
