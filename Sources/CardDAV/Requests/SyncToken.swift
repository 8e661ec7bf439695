// The state of a book that a client has. It is the position in the device's log of events, with the incarnation of the
// log: after a device was set up again, positions of before mean nothing.

/// A token of `sync-collection`, and the `getctag` of a book.
package struct SyncToken: Hashable, Sendable {
  /// The incarnation of the log.
  package let incarnation: String
  /// The position of the last event that the client has.
  package var position: Int64
  /// The number of the last change without an event that the client has: a picture that arrived later.
  package let touches: Int64
  /// The place in the list of all cards, for a client that has read the cards up to it; `nil` for one that has all.
  package var place: Int64?

  /// Creates a token.
  package init(incarnation: String, position: Int64, touches: Int64, place: Int64? = nil) {
    self.incarnation = incarnation
    self.position = position
    self.touches = touches
    self.place = place
  }

  /// Reads a token; `nil` if it is not one of this server.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard let incarnation = parts.first, !incarnation.isEmpty, (3...4).contains(parts.count) else {
      return nil
    }
    let numbers = parts.dropFirst().compactMap { Int64($0) }.filter { $0 >= 0 }
    guard numbers.count == parts.count - 1 else { return nil }
    self.init(
      incarnation: String(incarnation), position: numbers[0], touches: numbers[1],
      place: numbers.count == 3 ? numbers[2] : nil)
  }

  /// The token as clients store it, a URI.
  package var text: String {
    "\(Self.prefix)\(incarnation)/\(position)/\(touches)\(place.map { "/\($0)" } ?? "")"
  }

  private static let prefix = "urn:contacts:sync/"

  /// The error for a token that is too old or unknown (RFC 6578, section 3.2).
  package static let invalid = invalid(.forbidden)

  /// The same error for Thunderbird, which reads everything again after 400, and never again after the 403 that the standard
  /// names.
  package static let invalidForThunderbird = invalid(.badRequest)

  private static func invalid(_ status: DAVError.Status) -> DAVError {
    DAVError(
      status, "The sync token is not valid any more. Read the whole book.",
      condition: XMLTree(.dav("valid-sync-token")))
  }
}
