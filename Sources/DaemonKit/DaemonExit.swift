// How a daemon ends when it cannot go on: one sentence on stderr, and a code after sysexits.h that a
// script or a service manager can decide by. This is the one place that writes such a sentence.

import Glibc
import Records

/// What a daemon's process ends with.
package enum DaemonExit: Int32, Hashable, Sendable, CaseIterable {
  /// It was asked to stop and did.
  case done = 0
  /// It was done, but something was missing or damaged, which is named.
  case withLosses = 2
  /// The command line is wrong.
  case usage = 64
  /// A file holds something wrong: a foreign, damaged or newer database.
  case content = 65
  /// Something it needs does not answer.
  case unavailable = 69
  /// Its own fault.
  case fault = 70
  /// A socket or directory cannot be made, or another process has it.
  case cannotCreate = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// Not now; starting it again later is right.
  case tryLater = 75
  /// It is not permitted.
  case notPermitted = 77
  /// The configuration is wrong.
  case configuration = 78

  /// The code for an error of this kind, where one reaches a daemon's end.
  package init(_ code: ErrorCode) {
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

  /// The code for what a database's file or disk did.
  package init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .foreign, .newer, .damaged: .content
      case .unreadable: .notPermitted
      case .full, .disk: .inputOutput
      case .inUse: .tryLater
      case .unexpected: .fault
      }
  }

  /// Says why on stderr, in one line, and ends the process: with the error's own code, or as a
  /// fault when it is of no known kind.
  package static func end(_ program: String, because error: any Error) -> Never {
    let failure = DaemonError(error)
    let line = Array("\(program): \(oneLine(failure.description))\n".utf8)
    line.withUnsafeBytes { bytes in
      // Nothing can be done about a stderr that takes nothing.
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
    exit(failure.exit.rawValue)
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// Why a daemon cannot start or go on.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What its process ends with.
  package let exit: DaemonExit
  /// What happened, in one sentence.
  package let message: String
  /// What to do about it; may be empty.
  package let hint: String

  /// An error that ends the process with `exit`.
  package init(_ exit: DaemonExit, _ message: String, hint: String = "") {
    self.exit = exit
    self.message = message
    self.hint = hint
  }

  /// The daemon's view of any error.
  package init(_ error: any Error) {
    switch error {
    case let error as DaemonError: self = error
    case let error as RecordsError:
      self.init(DaemonExit(error.code), error.message, hint: error.hint)
    case let error as StoreError: self.init(DaemonExit(error.kind), error.message)
    default: self.init(.fault, "Unexpected error: \(error).")
    }
  }

  /// The message, and the hint behind it.
  package var description: String { hint.isEmpty ? message : "\(message) \(hint)" }
}

/// The system's words for an error number.
func systemText(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
