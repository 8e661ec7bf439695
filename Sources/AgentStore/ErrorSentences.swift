// Errors of the engine as users of the agent read them. The engine speaks of records and zones, for programs of any kind,
// and gives a code, a reason and data. Users of the address book know contacts, groups, and the commands of contactsctl.

import Records

extension RecordsError {
  /// The error with sentences about contacts and groups, and with a command where one helps. Errors that are not listed
  /// here are returned unchanged. Showing an error twice has no further effect.
  package var forUsers: RecordsError {
    var shown = self
    if let message = messageAboutGroups { shown.message = message }
    if let hint = hintWithCommand { shown.hint = hint }
    return shown
  }

  /// The group that the error concerns, in the middle of a sentence.
  private var group: String { title.map { "the group “\($0)”" } ?? "this group" }

  /// The group that the error concerns, at the beginning of a sentence.
  private var groupAtBeginning: String { title.map { "The group “\($0)”" } ?? "This group" }

  // MARK: Messages

  private var messageAboutGroups: String? {
    switch (code, reason) {
    case (.zoneNotFound, "noSuchZone") where title != nil:
      "\(groupAtBeginning) does not exist any more."
    case (.zoneNotFound, "noSuchZone"), (.zoneNotFound, "left"):
      "The group was deleted, or is no longer shared with this account."
    case (.zoneNotFound, "zoneNotHere"): "The group is not on this device."
    case (.zoneNotFound, RecordsError.zoneErasedReason):
      "The contacts of this group have been erased."
    case (.zoneNotFound, "zoneDeleted"):
      "The group was deleted, and the id of a deleted group cannot be used again."
    case (.serverRecordChanged, "zoneExists"): "A group with this id already exists."
    case (.quotaExceeded, "zones"):
      "An account can be in at most \(Limits.zonesPerAccount) groups, including shared ones."
    case (.quotaExceeded, "zonesNamed"):
      "An account can have at most \(Limits.zonesNamedPerAccount) groups, including those that it "
        + "deleted or left in the last 90 days."
    case (.quotaExceeded, "requests"): "This group has the maximum number of requests to join."
    case (.invalidArguments, "missingTitle"): "A group needs a title."
    case (.invalidArguments, "editOfZone"):
      "The rejected edit \(number ?? 0) is one of a group, which cannot be retried."
    case (.invalidArguments, "defaultZone"):
      field == "zone"
        ? "The default group cannot be shared." : "The default group cannot be renamed or deleted."
    case (.invalidArguments, "accepted"): "You have accepted this invitation already."
    case (.invalidArguments, "ownShare"): "This link leads to one of your own groups."
    case (.unknownItem, "zoneNotInTrash"): "The group is not in the trash."
    case (.unknownItem, "notShared"): "\(groupAtBeginning) is not shared."
    case (.tooManyParticipants, _):
      "\(groupAtBeginning) has reached the limit of \(Limits.participantsPerShare) participants, "
        + "including invited accounts."
    case (.operationCancelled, "zoneRestored"):
      "It was not sent, because its group was deleted on this device before. The group is there "
        + "again."
    case (.permissionFailure, _): permissionMessage
    default: nil
    }
  }

  private var permissionMessage: String? {
    switch reason {
    case "readOnly": "You have no permission to change \(group)."
    case "nowReadOnly": "You no longer have permission to change \(group)."
    case "left": "You have left \(group)."
    case "accessLost": "\(groupAtBeginning) is no longer shared with you."
    case "removed": "You were removed from this group."
    case "noInvitation": "You have no invitation to this group."
    case "foreignOwner": "New groups can only be created in your own account."
    case "notOwner" where title != nil: "Only the owner can rename or delete a group."
    case "trashNotOwned": "Only its owner can empty the trash of \(group)."
    case "ownersRole": "The owner's role in a group cannot be changed."
    default: nil
    }
  }

  // MARK: Hints

  private var hintWithCommand: String? {
    switch code {
    case .notAuthenticated: signInHint
    case .unknownItem: listingHint
    default: otherHint
    }
  }

  private var signInHint: String? {
    switch reason {
    case "signedOut" where field == nil, "revoked" where field == nil:
      "To sign in: contactsctl signin ACCOUNT"
    case "signedOut", "revoked", "invitationNeeded", "notJoined", "unknownDevice":
      "Create an invitation on another device of the account (contactsctl devices invite), or ask the "
        + "administrator for one. Then run on this device: contactsctl signin INVITATION."
    case "wrongKey": "If the administrator gave you a new key, run: contactsctl signin --key FILE."
    case "otherAccount": "Sign out first, or use another state directory."
    default: nil
    }
  }

  private var listingHint: String? {
    switch reason {
    case "noSuchAction": "To see what can be undone: contactsctl undo --list"
    case "noSuchConflict": "It is already resolved. To see the others: contactsctl conflicts list"
    case "noSuchComment": "To see the ids of comments: contactsctl post list --comments"
    case "noSuchDevice": "See: contactsctl devices"
    case "noSuchEdit": "To see the rejected edits: contactsctl refused list"
    case "noSuchEntry": "To see the ids of its entries: contactsctl show ID"
    case "noSuchPost":
      "“contactsctl sync” downloads new posts; “contactsctl post list” shows all."
    case "noSuchSubscription": "To see all: contactsctl subscriptions"
    case "noCaption": "“contactsctl sync” downloads it. If you deleted it, add a comment."
    case "notShared": "To share it: contactsctl share GROUP"
    case "notInTrash", "zoneNotInTrash": "To see the trash: contactsctl trash list"
    default: nil
    }
  }

  private var otherHint: String? {
    switch (code, reason) {
    case (.serviceUnavailable, "notConnected"): "Try again when contactsctl status says live."
    case (.serviceUnavailable, "unsentEdits"):
      "“contactsctl sync --wait” sends the edits; \(Self.discard)"
    case (.serviceUnavailable, "unsentAndRejectedEdits"):
      "“contactsctl sync --wait” sends the edits; “contactsctl refused list” shows the rejected ones; "
        + Self.discard
    case (.constraintViolation, "rejectedEdits"):
      "“contactsctl refused list” shows the edits; \(Self.discard)"
    case (.constraintViolation, "signedIn"):
      "To sign out and remove the account's data: contactsctl signout"
    case (.constraintViolation, RecordsError.zoneChangedReason):
      "Look at them, then delete the group again."
    case (.constraintViolation, "taken") where field == "name":
      title.map { "Choose another name, or remove it: contactsctl dav rm \($0)" }
    case (.invalidArguments, _): argumentHint
    case (.permissionFailure, "keyOfOtherAccount"):
      "To make a new key: contactsctl signout. Then join again."
    case (.permissionFailure, "otherInvitation"):
      "Remove “account” from contactsd.conf, and restart contactsd."
    case (.limitExceeded, "subscriptions"): "Delete one first: contactsctl unsubscribe ID"
    case (.quotaExceeded, "zones"): "Delete or leave a group that you do not need."
    case (.internalError, "notStored"):
      "The edit is kept here. To check this device: contactsctl doctor"
    case (.zoneNotFound, "noSuchZone"):
      title == nil ? "" : "It was deleted, or is no longer shared with this account."
    case (.zoneNotFound, "zoneDeleted"): "Create a group with a new id."
    case (.zoneNotFound, RecordsError.zoneErasedReason):
      "A deleted group can be restored for 30 days, unless the trash is emptied before."
    default: nil
    }
  }

  private var argumentHint: String? {
    switch reason {
    case "alreadyUndone": number.map { "To do it again: contactsctl undo \($0)" }
    case "editOfZone":
      "Change the group again, then discard the edit: contactsctl refused dismiss \(number ?? 0)"
    case "defaultZone" where field == "zone":
      "Create a group, move the contacts into it, and share that group."
    case "accepted": "Leave the group instead."
    case "ownShare": "You already have the group. Send the link to others."
    case "missingAddress": "Add its address. With contactsctl: --address HOST:PORT."
    case "otherAccountName": "Sign out first (contactsctl signout), or use another state directory."
    case "ownDevice": "To sign out: contactsctl signout"
    default: nil
    }
  }

  private static let discard = "“contactsctl signout --discard” signs out anyway."
}
