import Records

/// An invitation as people pass it on: a code and the addresses of the broker.
///
/// Its link is `contacts-device:CODE@HOST:PORT`, with several addresses separated by commas. A click
/// on a link only explains it (`contactsctl accept`); `contactsctl signin` uses it.
package struct DeviceInvitation: Hashable, Sendable {
  /// The secret.
  package let code: InvitationCode
  /// The addresses of the broker, each HOST:PORT, in the order in which to try them. Empty if only the code was typed.
  package let addresses: [String]

  private static let prefix = "contacts-device:"

  package init(code: InvitationCode, addresses: [String]) {
    self.code = code
    self.addresses = addresses
  }

  /// Whether a text is meant to be an invitation, also if it has a typing error, and no account's name.
  package static func isLikely(_ text: String) -> Bool {
    let text = text.trimmingBlanks()
    if text.hasPrefix(prefix) { return true }
    if (try? InvitationCode(text: text)) != nil { return true }
    let groups = text.split { $0 == "-" || $0 == " " }
    let isPlain = groups.allSatisfy { group in
      group.count <= 5 && group.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    let count = groups.reduce(0) { $0 + $1.count }
    return isPlain && groups.count >= 6 && (24...32).contains(count)
  }

  /// Parses a link or a code.
  /// - Throws: `invalidArguments` with the reason `malformedCode`.
  package init(text: String) throws(RecordsError) {
    let text = text.trimmingBlanks()
    guard text.hasPrefix(Self.prefix) else {
      self.init(code: try InvitationCode(text: text), addresses: [])
      return
    }
    let parts = text.dropFirst(Self.prefix.count)
      .split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else {
      throw RecordsError(
        .invalidArguments, "This is not a complete invitation.",
        hint: "An invitation is \(Self.prefix)CODE@HOST:PORT. Copy all of it.",
        field: "invitation", reason: "malformedCode")
    }
    self.init(
      code: try InvitationCode(text: String(parts[0])),
      addresses: parts[1].split(separator: ",").map(String.init))
  }

  /// The link.
  package var link: String { "\(Self.prefix)\(code.text)@\(addresses.joined(separator: ","))" }
}

extension DeviceInvitation: CustomStringConvertible {
  /// A constant instead of the link, because descriptions appear in logs.
  package var description: String { "a device invitation" }
}
