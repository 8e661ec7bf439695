// Revisions, not clocks, order changes. A zone's revision rises by one for each changed record, in
// the transaction that changes it. That revision becomes the record's change tag.

/// The number of record changes a zone has had. A new zone is at 0.
package struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of changes; at most `Limits.numberMaximum` when it came from a peer.
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  /// The revision before a zone's first change.
  package static let zero = Revision(0)

  /// The revision of the next change.
  package var next: Revision { Revision(value + 1) }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  package var description: String { String(value) }
}

/// The sequence number of a device's request: 1, 2, 3 … without gaps. 0 means that there is none
/// yet.
package struct RequestNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The sequence number as an integer.
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  /// The number before a device's first request.
  package static let zero = RequestNumber(0)

  /// The number of the next request.
  package var next: RequestNumber { RequestNumber(value + 1) }

  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }

  package var description: String { String(value) }
}

/// A position in a zone's change feed. CloudKit: `CKServerChangeToken`.
///
/// Store the token, which is `Codable`, in the same transaction as the changes that arrived with it, and pass it back
/// unchanged.
public struct ChangeToken: Hashable, Sendable {
  /// The history that was read. A token of another incarnation is not valid.
  package let incarnation: Incarnation
  /// The last revision that the device has read.
  package var revision: Revision
  /// The zone's head when the device's first scan began. The scan skipped tombstones at or below
  /// it, because the device cannot hold a record that was deleted before the scan.
  package let scanStart: Revision

  package init(incarnation: Incarnation, revision: Revision, scanStart: Revision) {
    self.incarnation = incarnation
    self.revision = revision
    self.scanStart = scanStart
  }

  /// Returns whether the broker has removed a tombstone that this token still needs.
  /// - Parameter expiredThrough: The highest tag of the zone's removed tombstones. The token has
  ///   expired if the tag is above both the revision read and the start of the first scan.
  package func isExpired(expiredThrough: Revision) -> Bool {
    expiredThrough > revision && expiredThrough > scanStart
  }
}

extension ChangeToken: Codable {
  /// Decodes a token that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let parts = try container.decode(String.self).split(separator: "-")
    guard parts.count == 3, let incarnation = Incarnation(String(parts[0])),
      let revision = Int64(parts[1]), let start = Int64(parts[2])
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not a change token.")
    }
    self.init(
      incarnation: incarnation, revision: Revision(revision), scanStart: Revision(start))
  }

  /// Encodes the token as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(incarnation)-\(revision)-\(scanStart)")
  }
}
