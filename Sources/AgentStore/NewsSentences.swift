// News of groups as users of the agent read them in the list of notifications.

import DeviceStore
import Records

extension SharingNews {
  /// The news as a sentence about a group.
  package var forUsers: String {
    switch kind {
    case .request: "\(shownName) asks for access to “\(title)”"
    case .join: "\(shownName) joined “\(title)”"
    case .gain(let owner): "The group “\(title)” of \(owner) is now shared with you."
    case .loss(let hasRejectedEdits):
      "The group “\(title)” is no longer shared with you."
        + (hasRejectedEdits
          ? " Your changes that were not sent are in: contactsctl refused list" : "")
    case .rejectedDeletion(let error): error.forUsers.description
    }
  }
}
