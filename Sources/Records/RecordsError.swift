/// The kind of an error, by which programs decide what to do. Names are CloudKit's where they fit.
/// The list is closed: it covers everything that users, peers and disks can cause.
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
  case networkUnavailable, serviceUnavailable, requestRateLimited, notAuthenticated
  case permissionFailure, unknownItem, invalidArguments, serverRecordChanged
  case constraintViolation, changeTokenExpired, batchRequestFailed, zoneBusy, quotaExceeded
  case zoneNotFound, limitExceeded, tooManyParticipants, alreadyShared, referenceViolation
  case assetNotAvailable, partialFailure, operationCancelled, serverResponseLost
  case incompatibleVersion, internalError

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

/// An error with a code for programs, a message and a hint for users.
package struct RecordsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  package let code: ErrorCode
  /// What happened, in one sentence.
  package let message: String
  /// What the user can do; empty if nothing.
  package var hint: String
  /// The seconds after which a retry may succeed; `nil` if a retry never does.
  package var retryAfterSeconds: Int?
  /// The record concerned, if any.
  package var record: RecordName?
  /// The field concerned, if any.
  package var field: String?
  /// The column in a text, such as a predicate, where the error was found; counted from 1.
  package var column: Int?
  /// A more specific kind within `code`, such as `expired` or `usedUp`. With the code it says which sentence a program can
  /// show instead of `message` and `hint`, which speak of records and zones.
  package var reason: String?
  /// What users call the zone or the record concerned, if any.
  package var title: String?
  /// The number of the rejected edit or of the action concerned, if any.
  package var number: Int64?

  package init(
    _ code: ErrorCode, _ message: String, hint: String = "", retryAfterSeconds: Int? = nil,
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

  /// The message followed by the hint.
  package var description: String {
    hint.isEmpty ? message : "\(message) \(hint)"
  }
}

extension Error {
  /// A description for logs; see `RecordsError.logText`. Other errors come from the system or the
  /// database and contain no text from users.
  package var logText: String { (self as? RecordsError)?.logText ?? "\(self)" }
}
