// The conditions of a request: what the client believes the resource to be (RFC 9110, section 13).

/// The headers `If-Match` and `If-None-Match`.
package struct Preconditions: Hashable, Sendable {
  /// The entity tags of a header.
  package enum Tags: Hashable, Sendable {
    /// `*`: any resource.
    case any
    /// These versions of it, with their quotes.
    case some([String])
  }

  /// The resource must be one of these.
  package let match: Tags?
  /// The resource must be none of these.
  package let noneMatch: Tags?

  /// Reads the headers.
  /// - Throws: 400 if one of them is not a list of entity tags.
  package init(match: String?, noneMatch: String?) throws(DAVError) {
    self.match = try match.map { text throws(DAVError) in try Self.tags(text, "If-Match") }
    self.noneMatch = try noneMatch.map { text throws(DAVError) in
      try Self.tags(text, "If-None-Match")
    }
  }

  /// Whether the client says which version it has read. Without that it overwrites what is there.
  package var namesVersion: Bool {
    if case .some? = match { true } else { false }
  }

  /// Checks the conditions against a resource.
  /// - Parameter tag: Its entity tag with quotes; `nil` if it does not exist.
  /// - Throws: 412 if they are not met. Two that contradict each other are never met.
  package func check(_ tag: String?) throws(DAVError) {
    if let match, !Self.contains(match, tag, weakly: false) {
      throw DAVError(
        .preconditionFailed,
        tag == nil ? "The card does not exist." : "The card has changed since it was read.")
    }
    if let noneMatch, Self.contains(noneMatch, tag, weakly: true) {
      throw DAVError(.preconditionFailed, "The card exists already.")
    }
  }

  /// Whether the client of a GET has the resource already.
  /// - Parameter tag: Its entity tag with quotes.
  /// - Throws: 412 if the resource is not the one that the client asks for.
  package func isUnchanged(_ tag: String) throws(DAVError) -> Bool {
    try Preconditions(match: match, noneMatch: nil).check(tag)
    return noneMatch.map { Self.contains($0, tag, weakly: true) } ?? false
  }

  private init(match: Tags?, noneMatch: Tags?) {
    self.match = match
    self.noneMatch = noneMatch
  }

  private static func contains(_ tags: Tags, _ tag: String?, weakly: Bool) -> Bool {
    guard let tag else { return false }
    switch tags {
    case .any: return true
    // A weak tag never matches strongly; the tags here are all strong.
    case .some(let tags):
      return tags.contains { $0 == tag || (weakly && $0 == "W/" + tag) }
    }
  }

  private static func tags(_ text: String, _ header: String) throws(DAVError) -> Tags {
    let words = text.split(separator: ",").map { word in
      String(
        word.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      )
    }
    if words == ["*"] { return .any }
    let areTags = words.allSatisfy { word in
      let tag = word.hasPrefix("W/") ? word.dropFirst(2) : word[...]
      return tag.count >= 2 && tag.first == "\"" && tag.last == "\""
    }
    guard areTags, !words.isEmpty, words.count <= tagsMaximum else {
      throw DAVError(.badRequest, "The header \(header) is not a list of entity tags.")
    }
    return .some(words)
  }

  private static let tagsMaximum = 100
}
