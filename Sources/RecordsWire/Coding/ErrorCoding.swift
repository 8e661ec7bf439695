// Errors. Reading one never fails: an error that cannot be read would hide the one it reports. A
// code of a later version becomes `internalError`, or `serviceUnavailable` where retrying is said to
// help, with the code itself as the reason.

import Records
import SwiftProtobuf

extension RecordsError {
  init(_ wire: WireError) {
    let isRetried = wire.hasRetryAfterSeconds
    let known = ErrorCode(rawValue: wire.code)
    self.init(
      known ?? (isRetried ? .serviceUnavailable : .internalError), wire.message, hint: wire.hint,
      retryAfterSeconds: isRetried
        ? min(Int(wire.retryAfterSeconds), Limits.retryAfterSecondsMaximum) : nil,
      record: wire.hasRecord ? RecordName(stored: wire.record) : nil,
      field: wire.hasField ? wire.field : nil, column: wire.hasColumn ? Int(wire.column) : nil,
      reason: wire.hasReason ? wire.reason : known == nil ? wire.code : nil)
  }

  var wire: WireError {
    .with {
      $0.code = code.rawValue
      $0.message = message
      $0.hint = hint
      if let retryAfterSeconds { $0.retryAfterSeconds = UInt32(clamping: retryAfterSeconds) }
      if let record { $0.record = record.text }
      if let field { $0.field = field }
      if let column { $0.column = UInt32(clamping: column) }
      if let reason { $0.reason = reason }
    }
  }

  /// Something of a later version, which may not be passed over.
  static func unknownKind(of what: String) -> Self {
    Self(
      .incompatibleVersion, "The frame has a \(what) of a kind this version does not know.",
      hint: "Update the program that is older.")
  }
}
