// Everything a user, a peer or a disk can bring about, in one closed list. CloudKit's names where
// they fit, so that people who know it know what to do.

/// What went wrong, by kind; programs decide by it, people read `RecordsError.message`.
package enum ErrorCode: String, Hashable, Sendable, CaseIterable {
  case networkUnavailable, serviceUnavailable, requestRateLimited, notAuthenticated
  case permissionFailure, unknownItem, invalidArguments, serverRecordChanged
  case constraintViolation, changeTokenExpired, batchRequestFailed, zoneBusy, quotaExceeded
  case zoneNotFound, limitExceeded, tooManyParticipants, alreadyShared, referenceViolation
  case assetNotAvailable, partialFailure, operationCancelled, serverResponseLost
  case incompatibleVersion, internalError

  /// Whether the request took no effect and used no number, so that sending it again unchanged is
  /// right once `retryAfterSeconds` have passed.
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

/// A refusal or failure: a code for programs, one sentence on what happened and one on what to do.
package struct RecordsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind.
  package let code: ErrorCode
  /// What happened, in one sentence.
  package let message: String
  /// What to do about it; empty where there is nothing to be done.
  package var hint: String
  /// After how long retrying helps; `nil` where it never does.
  package var retryAfterSeconds: Int?
  /// The record it is about, where there is one.
  package var record: RecordName?
  /// The field it is about, where there is one.
  package var field: String?
  /// The column of a text (a predicate) it is about, counted from 1.
  package var column: Int?
  /// A finer kind within `code`, where useful: `expired`, `usedUp`.
  package var reason: String?

  /// An error of this kind.
  package init(
    _ code: ErrorCode, _ message: String, hint: String = "", retryAfterSeconds: Int? = nil,
    record: RecordName? = nil, field: String? = nil, column: Int? = nil, reason: String? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.retryAfterSeconds = retryAfterSeconds
    self.record = record
    self.field = field
    self.column = column
    self.reason = reason
  }

  /// `invalidArguments` with this sentence.
  package static func invalid(_ message: String, field: String? = nil) -> Self {
    Self(.invalidArguments, message, field: field)
  }

  /// `limitExceeded`, stating the limit and what was asked.
  package static func limit(_ what: String, limit: Int, actual: Int) -> Self {
    Self(.limitExceeded, "\(what): at most \(limit), this has \(actual).")
  }

  /// What a log may hold of this error: its kind, without the message, which can name a record, a
  /// group or what somebody typed.
  package var logText: String {
    ([code.rawValue] + [reason, field].compactMap(\.self)).joined(separator: ", ")
  }

  /// The message, and the hint behind it.
  package var description: String {
    hint.isEmpty ? message : "\(message) \(hint)"
  }
}

extension Error {
  /// What a log may hold of any error: see `RecordsError.logText`. Other errors are the system's or the
  /// database's, and hold no text that somebody typed.
  package var logText: String { (self as? RecordsError)?.logText ?? "\(self)" }
}
