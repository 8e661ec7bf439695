// Errors of requests about shares. The broker's errors name zones, as its protocol does; users of the address book
// know groups.

import Records

extension RecordsError {
  /// Returns the error with a sentence about a group. An error without such a sentence is returned unchanged.
  /// - Parameter title: the group's title; `nil` if the request named a link, or the group is not on this device.
  func ofShare(title: String?) -> RecordsError {
    let group = title.map { "The group “\($0)”" } ?? "This group"
    let sentence: (message: String, hint: String)? =
      switch (code, reason, field) {
      case (.unknownItem, "notShared", _):
        ("\(group) is not shared.", "To share it: contactsctl share GROUP")
      case (.zoneNotFound, _, _):
        (
          "\(group) does not exist any more.",
          "It was deleted, or is no longer shared with this account."
        )
      case (.tooManyParticipants, _, _):
        (
          "\(group) has reached the limit of \(Limits.participantsPerShare) participants, "
            + "including invited accounts.", "Remove a participant first."
        )
      case (.permissionFailure, nil, "account"):
        ("The owner's role in a group cannot be changed.", hint)
      default: nil
      }
    guard let sentence else { return self }
    return RecordsError(
      code, sentence.message, hint: sentence.hint, retryAfterSeconds: retryAfterSeconds,
      record: record, field: field, column: column,
      // With its reason, the sentence would be replaced by one that does not name the group.
      reason: code == .zoneNotFound ? nil : reason)
  }
}
