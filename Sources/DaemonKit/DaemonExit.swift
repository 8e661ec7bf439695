// How a daemon exits after an error: one line on stderr and an exit code from sysexits.h, by which a script
// or the service manager can decide what to do. Only this file writes such a line.

import Glibc
import Records

/// The exit code of a daemon's process.
package enum DaemonExit: Int32, Hashable, Sendable, CaseIterable {
  /// The daemon stopped because it was asked to.
  case done = 0
  /// The command succeeded, but data was missing or damaged; its output names them.
  case withLosses = 2
  /// The command line is invalid.
  case usage = 64
  /// A database belongs to another program, is damaged, or was written by another version.
  case content = 65
  /// A service that the daemon needs does not answer.
  case unavailable = 69
  /// The daemon has an internal error.
  case fault = 70
  /// A socket or directory cannot be created, or another process uses it.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// The daemon cannot run at the moment; it can be started again later.
  case tryLater = 75
  /// The operation is not permitted.
  case notPermitted = 77
  /// The configuration is invalid.
  case configuration = 78

  /// Returns the exit code for an error code.
  package init(_ code: RecordsError.Code) {
    self =
      switch code {
      case .invalidArguments, .constraintViolation, .limitExceeded, .referenceViolation,
        .incompatibleVersion, .unknownItem, .zoneNotFound, .tooManyParticipants, .alreadyShared:
        .content
      case .networkUnavailable: .unavailable
      case .serviceUnavailable, .requestRateLimited, .zoneBusy, .serverRecordChanged,
        .changeTokenExpired, .serverResponseLost, .operationCancelled:
        .tryLater
      case .notAuthenticated, .permissionFailure: .notPermitted
      case .quotaExceeded: .cannotCreate
      case .assetNotAvailable: .inputOutput
      case .batchRequestFailed, .partialFailure, .internalError: .fault
      }
  }

  /// Returns the exit code for an error of a database.
  package init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .foreign, .otherVersion, .damaged: .content
      case .unreadable: .notPermitted
      case .full, .disk: .inputOutput
      case .inUse, .unreachable: .tryLater
      case .unexpected: .fault
      }
  }

  /// Writes `error` to stderr in one line and exits the process: with the error's exit code, or with `fault`
  /// for unknown errors.
  package static func end(_ program: String, because error: any Error) -> Never {
    let failure = DaemonError(error)
    let line = Array("\(program): \(oneLine(failure.description))\n".utf8)
    line.withUnsafeBytes { bytes in
      // A failed write is ignored: there is no other place to report it.
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
    exit(failure.exit.rawValue)
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// An error because of which a daemon cannot start or continue.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit code of the process.
  package let exit: DaemonExit
  /// A sentence that says what happened.
  package let message: String
  /// A sentence that says what to do about it; may be empty.
  package let hint: String

  /// Creates an error that exits the process with `exit`.
  package init(_ exit: DaemonExit, _ message: String, hint: String = "") {
    self.exit = exit
    self.message = message
    self.hint = hint
  }

  /// Converts any error, with `fault` for unknown ones.
  package init(_ error: any Error) {
    switch error {
    case let error as DaemonError: self = error
    case let error as RecordsError:
      self.init(DaemonExit(error.code), error.message, hint: error.hint)
    case let error as StoreError: self.init(DaemonExit(error.kind), error.message)
    default: self.init(.fault, "Unexpected error: \(error).")
    }
  }

  /// The message, followed by the hint.
  package var description: String { hint.isEmpty ? message : "\(message) \(hint)" }
}

/// Returns the system's text for an error number.
func systemText(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
