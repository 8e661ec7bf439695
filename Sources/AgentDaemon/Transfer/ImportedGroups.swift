// The groups that an import has created, and those that it could not use, over all of its batches.

import Records

/// What an import has done about the groups that its file names, for all of its batches.
struct ImportedGroups: Sendable {
  /// The maximum number of groups that one import creates: half of those that an account can have. A column with more
  /// different titles is unlikely to contain groups.
  static let madeMaximum = Limits.zonesPerAccount / 2
  /// The maximum number of titles that are reported, because each one is remembered.
  static let reportedMaximum = 1_000

  /// The titles of the groups that were created, in order; in a dry run of those that would be.
  private(set) var made: [String] = []
  private var reported: Set<String> = []

  /// Notes that the group was created.
  mutating func note(made title: String) {
    if !made.contains(title) { made.append(title) }
  }

  /// Returns the sentence for a title whose contacts go into the default group, once for each title.
  mutating func sentence(for title: String, reason: String) -> String? {
    guard reported.count <= Self.reportedMaximum, reported.insert(Self.beginning(title)).inserted
    else { return nil }
    guard reported.count <= Self.reportedMaximum else {
      return "Further groups of the file cannot be used either; their contacts go to “Contacts”."
    }
    let shown = title.unicodeScalars.prefix(200).filter {
      $0.properties.generalCategory != .control
    }
    let beginning = String(String(String.UnicodeScalarView(shown)).prefix(40))
    return "The contacts of the group “\(beginning)” go to “Contacts”. \(reason)"
  }

  /// The part of a title that is remembered, because a file may contain titles of any length.
  private static func beginning(_ title: String) -> String {
    String(decoding: title.utf8.prefix(Limits.titleBytes + 1), as: UTF8.self)
  }
}
