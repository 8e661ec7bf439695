// Converts errors. Decoding never fails, because a decoding error would hide the error that was
// received. An unknown code becomes the reason of an `internalError`, or of a `serviceUnavailable`
// if a retry is allowed.

import Records
import SwiftProtobuf

extension RecordsError {
  init(_ wire: WireError) {
    let isRetried = wire.hasRetryAfterSeconds
    let known = RecordsError.Code(rawValue: wire.code)
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

  /// Creates the `incompatibleVersion` error for a message, or a part of one, whose kind a later
  /// version added. Ignoring the part could change the meaning of the message.
  static func unknownKind(of what: String) -> Self {
    Self(
      .incompatibleVersion, "This version does not support this kind of \(what).",
      hint: "Update the older of the two programs.")
  }
}
