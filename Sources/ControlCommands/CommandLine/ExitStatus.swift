// The codes scripts decide by, after sysexits.h, and the one table that maps error codes to them.

import Records

/// What the process ends with.
enum ExitStatus: Int32, Sendable {
  /// Done; also a search that found nothing.
  case done = 0
  /// Failed, and none of the others fits.
  case failed = 1
  /// `status --is-live`: not live.
  case notLive = 3
  /// The command line is wrong.
  case usage = 64
  /// What was given is wrong: a field, an ambiguous name; or a foreign or newer database.
  case content = 65
  /// What was named is not there.
  case notFound = 66
  /// The agent does not answer.
  case unreachable = 69
  /// There is no room for what was to be made.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// Not now; trying again later is right.
  case tryLater = 75
  /// Not permitted.
  case notPermitted = 77
  /// The configuration is wrong.
  case configuration = 78

  /// The status for an error of this code.
  init(_ code: ErrorCode) {
    self =
      switch code {
      case .unknownItem, .zoneNotFound: .notFound
      case .invalidArguments, .constraintViolation, .limitExceeded, .referenceViolation,
        .tooManyParticipants, .alreadyShared, .incompatibleVersion:
        .content
      case .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy,
        .serverRecordChanged, .changeTokenExpired, .serverResponseLost:
        .tryLater
      case .notAuthenticated, .permissionFailure: .notPermitted
      case .quotaExceeded: .cannotCreate
      case .assetNotAvailable: .inputOutput
      case .batchRequestFailed, .partialFailure, .operationCancelled, .internalError: .failed
      }
  }
}
