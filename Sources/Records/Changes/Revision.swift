// Time never orders anything here; revisions do. A zone's revision rises by one with each record
// changed, in the transaction that changes it, and a record's change tag is its revision.

/// How many record changes a zone has seen. 0 is a zone before its first change.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The count; at most `Limits.numberMaximum` where a peer sent it.
  package let value: Int64

  /// The revision after `value` changes.
  package init(_ value: Int64) {
    self.value = value
  }

  /// Before the first change.
  package static let zero = Revision(0)

  /// The revision of the next change.
  package var next: Revision { Revision(value + 1) }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  package var description: String { String(value) }
}

/// A device's number for one of its requests: 1, 2, 3 … without gaps; 0 is “none yet”.
package struct RequestNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number.
  package let value: Int64

  /// The request numbered `value`.
  package init(_ value: Int64) {
    self.value = value
  }

  /// Before the first request.
  package static let zero = RequestNumber(0)

  /// The number of the next request.
  package var next: RequestNumber { RequestNumber(value + 1) }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  package var description: String { String(value) }
}

/// How far a device has read one history of a zone. Opaque to applications, comparable by us.
package struct ChangeToken: Hashable, Sendable {
  /// The history that was read; another incarnation makes the token worthless.
  package let incarnation: Incarnation
  /// Everything up to here has been read.
  package var revision: Revision
  /// The head when the first scan began: tombstones at or below it were skipped, because the
  /// device cannot hold what was deleted before it came.
  package let scanStart: Revision

  /// A position in a history.
  package init(incarnation: Incarnation, revision: Revision, scanStart: Revision) {
    self.incarnation = incarnation
    self.revision = revision
    self.scanStart = scanStart
  }

  /// Whether tombstones this token still needed are gone: the highest reaped one is above both
  /// what was read and the start of the first scan.
  package func isExpired(reapedThrough: Revision) -> Bool {
    reapedThrough > revision && reapedThrough > scanStart
  }
}
