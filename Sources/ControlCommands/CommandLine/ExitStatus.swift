// The exit codes for scripts, after sysexits.h, and the mapping of error codes to them.

import Records

/// The exit code of the process.
enum ExitStatus: Int32, Sendable {
  /// Success; also for a search without results.
  case done = 0
  /// Any other failure.
  case failed = 1
  /// `status --is-live`: not live.
  case notLive = 3
  /// The command line is wrong.
  case usage = 64
  /// The input is wrong: a field, an ambiguous name; or a foreign or newer database.
  case content = 65
  /// The named item does not exist.
  case notFound = 66
  /// The agent does not answer.
  case unreachable = 69
  /// The output file cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// A temporary failure; try again later.
  case tryLater = 75
  /// Not permitted.
  case notPermitted = 77
  /// The configuration is wrong.
  case configuration = 78

  /// Returns the status for an error code.
  init(_ code: RecordsError.Code) {
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
