// The state of a book that a client has. It is the position in the device's log of events, with the incarnation of the
// log: after a device was set up again, positions of before mean nothing.

/// A token of `sync-collection`, and the `getctag` of a book.
package struct SyncToken: Hashable, Sendable {
  /// The incarnation of the log.
  package let incarnation: String
  /// The position of the last event that the client has.
  package let position: Int64

  /// Creates a token.
  package init(incarnation: String, position: Int64) {
    self.incarnation = incarnation
    self.position = position
  }

  /// Reads a token; `nil` if it is not one of this server.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(separator: "/")
    guard parts.count == 2, let position = Int64(parts[1]), position >= 0 else { return nil }
    self.init(incarnation: String(parts[0]), position: position)
  }

  /// The token as clients store it, a URI.
  package var text: String { "\(Self.prefix)\(incarnation)/\(position)" }

  private static let prefix = "urn:contacts:sync/"

  /// The error for a token that is too old or unknown. Thunderbird reads everything again after 400, and never again
  /// after the 403 or 409 that the standard names.
  package static let invalid = DAVError(
    .badRequest, "The sync token is not valid any more. Read the whole book.",
    condition: XMLTree(.dav("valid-sync-token")))
}
