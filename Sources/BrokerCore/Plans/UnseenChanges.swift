// The changes of a zone that the author of its deletion had not received. A device freezes its position in the zone's
// feed when a person deletes the zone. The person decided about what the device had then, and nothing else is deleted.

import Records

/// The changes of a zone that other devices made after a position in its feed.
package struct UnseenChanges: Hashable, Sendable {
  /// The number of records that others have saved since and that still exist; counted up to `countMaximum`.
  package let count: Int
  /// The names of the account's own devices and the display names of the other accounts that saved them, the one with
  /// the most changes first.
  package let authors: [String]

  /// The changes that are counted. A sentence about more says so.
  package static let countMaximum = 10_000
  /// The authors that a sentence names.
  private static let namedMaximum = 3

  package init(count: Int, authors: [String]) {
    self.count = count
    self.authors = authors
  }

  /// The error that rejects the deletion of the zone; `nil` if there are no such changes.
  var error: RecordsError? {
    guard count > 0 else { return nil }
    return RecordsError(
      .constraintViolation, "\(sentence) since; nothing was deleted.",
      hint: "Read them, then delete the zone again.", reason: RecordsError.zoneChangedReason)
  }

  private var sentence: String {
    let number =
      count > Self.countMaximum
      ? "more than \(Self.countMaximum) changes" : count == 1 ? "1 change" : "\(count) changes"
    return "\(names) made \(number)"
  }

  private var names: String {
    let named = authors.prefix(Self.namedMaximum)
    if authors.count > named.count { return named.joined(separator: ", ") + " and others" }
    guard let last = named.last, named.count > 1 else { return named.first ?? "another device" }
    return named.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension StoredZone {
  /// The revision of the zone's present history up to which a client has read it. A client that has read only histories of
  /// which the zone knows nothing has read nothing.
  /// - Parameter versions: The last revision of each history that the client has read.
  package func revision(readIn versions: VersionVector) -> Revision {
    if let revision = versions[incarnation] { return revision }
    let shared = lineage.entries.compactMap { entry in
      versions[entry.incarnation].map { min($0, entry.revision) }
    }
    return shared.max() ?? .zero
  }
}
