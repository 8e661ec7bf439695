// The error of the whole system, with a closed list of codes for programs and sentences for users.

/// An error of the broker, the replica or a library. CloudKit: `CKError`.
public struct RecordsError: Error, Hashable, Sendable, CustomStringConvertible {
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
    /// Another operation that takes effect together with this one failed.
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
  /// A sentence that says what happened, about records and zones.
  public package(set) var message: String
  /// A sentence that says what to do about it; empty if there is nothing to do.
  public package(set) var hint: String
  /// The seconds after which a retry may succeed; `nil` if a retry never does.
  package var retryAfterSeconds: Int?
  /// The record concerned, if any.
  package var record: RecordName?
  /// The key of the field that caused the error, if any.
  public package(set) var field: String?
  /// The column of the error in a text, such as a predicate, counted from 1.
  public package(set) var column: Int?
  /// A more specific kind within `code`, such as `expired` or `usedUp`. With the code it says which sentence a program can
  /// show instead of `message` and `hint`.
  public package(set) var reason: String?
  /// What users call the zone or record concerned, if any.
  public package(set) var title: String?
  /// The number of the rejected edit or of the action concerned, if any.
  public package(set) var number: Int64?
  /// The record that a library attached to the error.
  package var attachment: Attachment?

  package init(
    _ code: Code, _ message: String, hint: String = "", retryAfterSeconds: Int? = nil,
    record: RecordName? = nil, field: String? = nil, column: Int? = nil, reason: String? = nil,
    title: String? = nil, number: Int64? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.retryAfterSeconds = retryAfterSeconds
    self.record = record
    self.field = field
    self.column = column
    self.reason = reason
    self.title = title
    self.number = number
  }

  /// The time after which a retry may succeed; `nil` if a retry never does. CloudKit: `CKErrorRetryAfterKey`.
  public var retryAfter: Duration? { retryAfterSeconds.map { .seconds($0) } }

  /// The name of the record that caused the error, if any.
  public var recordName: String? { record?.text }

  /// Creates an `invalidArguments` error.
  package static func invalid(_ message: String, field: String? = nil) -> Self {
    Self(.invalidArguments, message, field: field)
  }

  /// Creates a `limitExceeded` error that states the limit and the actual value.
  package static func limit(_ what: String, limit: Int, actual: Int) -> Self {
    Self(.limitExceeded, "\(what): \(actual) exceeds the limit of \(limit).")
  }

  /// The reason of a rejected deletion of a zone that other devices changed after its author last read it.
  package static let zoneChangedReason = "zoneChanged"
  /// The reason of the error for a deleted zone whose records were erased, so that it cannot be restored.
  package static let zoneErasedReason = "zoneErased"

  /// The code, reason and field, for logs. Omits the message, which may contain names or text from
  /// users.
  package var logText: String {
    ([code.rawValue] + [reason, field].compactMap(\.self)).joined(separator: ", ")
  }

  /// The message, followed by the hint.
  public var description: String {
    hint.isEmpty ? message : "\(message) \(hint)"
  }
}

extension RecordsError {
  /// A value of a library, of a type that the engine does not know. A class, because few of the many errors in results of
  /// requests have one, and all would be larger.
  package final class Attachment: Hashable, Sendable {
    /// The value.
    package let value: any Hashable & Sendable

    package init(_ value: some Hashable & Sendable) {
      self.value = value
    }

    package static func == (left: Attachment, right: Attachment) -> Bool {
      AnyHashable(left.value) == AnyHashable(right.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
  }
}

extension RecordsError.Code {
  /// Whether the request had no effect and used no request number. It can be repeated unchanged
  /// after `retryAfterSeconds`.
  package var isTransient: Bool {
    switch self {
    case .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy: true
    case .notAuthenticated, .permissionFailure, .unknownItem, .invalidArguments,
      .serverRecordChanged, .constraintViolation, .changeTokenExpired, .batchRequestFailed,
      .quotaExceeded, .zoneNotFound, .limitExceeded, .tooManyParticipants, .alreadyShared,
      .referenceViolation, .assetNotAvailable, .partialFailure, .operationCancelled,
      .serverResponseLost, .incompatibleVersion, .internalError:
      false
    }
  }
}

extension Error {
  /// A description for logs; see `RecordsError.logText`. Other errors come from the system or the
  /// database and contain no text from users.
  package var logText: String { (self as? RecordsError)?.logText ?? "\(self)" }
}
