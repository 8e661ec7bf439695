// What users of the agent read when the engine reports an error about a record or a zone.

import AgentStore
import DeviceStore
import Records
import Testing

@Suite("K6 errors in the words of the address book")
struct ErrorSentencesTests {
  private static let named: [(RecordsError.Code, String, field: String?, shown: String)] = [
    (.permissionFailure, "readOnly", nil, "You have no permission to change the group “Rowing”."),
    (.permissionFailure, "left", nil, "You have left the group “Rowing”."),
    (
      .permissionFailure, "accessLost", nil, "The group “Rowing” is no longer shared with you."
    ),
    (
      .permissionFailure, "trashNotOwned", nil,
      "Only its owner can empty the trash of the group “Rowing”."
    ),
    (.zoneNotFound, "zoneNotHere", nil, "The group is not on this device."),
    (.zoneNotFound, "noSuchZone", nil, "The group “Rowing” does not exist any more."),
    (.unknownItem, "notShared", nil, "The group “Rowing” is not shared."),
    (.permissionFailure, "ownersRole", "account", "The owner's role in a group cannot be changed."),
    (.invalidArguments, "missingTitle", "title", "A group needs a title."),
    (.invalidArguments, "defaultZone", nil, "The default group cannot be renamed or deleted."),
    (.quotaExceeded, "requests", nil, "This group has the maximum number of requests to join."),
  ]

  @Test func `an error about a zone names the group`() {
    for (code, reason, field, sentence) in Self.named {
      let error = RecordsError(code, "A zone.", field: field, reason: reason, title: "Rowing")
      #expect(error.forUsers.message == sentence)
      #expect(error.forUsers.code == code && error.forUsers.reason == reason)
    }
  }

  private static let advised: [(RecordsError.Code, String, command: String)] = [
    (.notAuthenticated, "signedOut", "contactsctl signin ACCOUNT"),
    (.notAuthenticated, "unknownDevice", "contactsctl signin INVITATION"),
    (.notAuthenticated, "wrongKey", "contactsctl signin --key FILE"),
    (.serviceUnavailable, "notConnected", "contactsctl status"),
    (.serviceUnavailable, "unsentEdits", "contactsctl sync --wait"),
    (.constraintViolation, "rejectedEdits", "contactsctl refused list"),
    (.constraintViolation, "signedIn", "contactsctl signout"),
    (.invalidArguments, "alreadyUndone", "contactsctl undo 7"),
    (.invalidArguments, "editOfZone", "contactsctl refused dismiss 7"),
    (.unknownItem, "noSuchDevice", "contactsctl devices"),
    (.unknownItem, "notInTrash", "contactsctl trash list"),
    (.unknownItem, "notShared", "contactsctl share GROUP"),
    (.limitExceeded, "subscriptions", "contactsctl unsubscribe ID"),
    (.internalError, "notStored", "contactsctl doctor"),
  ]

  @Test func `an error that a command helps with names it`() {
    for (code, reason, command) in Self.advised {
      let error = RecordsError(code, "It failed.", hint: "Do it.", reason: reason, number: 7)
      #expect(error.forUsers.hint.contains(command), "\(reason)")
    }
  }

  @Test func `a device that joined with an invitation needs another one`() {
    let error = RecordsError(
      .notAuthenticated, "It is signed out.", field: "invitation", reason: "signedOut")
    #expect(error.forUsers.hint.contains("contactsctl signin INVITATION"))
  }

  @Test func `the agent's own sentences about groups are unchanged`() {
    let missing = RecordsError(
      .zoneNotFound, "There is no group “Chior”.", hint: "To see all: contactsctl group list")
    #expect(missing.forUsers == missing)
    let other = RecordsError(
      .permissionFailure, "This device belongs to account “ada”, not to “grace”.",
      hint: "Sign out before signing in to another account.", reason: "otherAccount")
    #expect(other.forUsers == other)
  }

  @Test func `the broker's error about a zone that is gone says it once`() {
    let gone = RecordsError(
      .zoneNotFound, "The zone does not exist.",
      hint: "It was deleted, or is no longer shared with this account.", reason: "noSuchZone")
    #expect(
      gone.forUsers.description
        == "The group was deleted, or is no longer shared with this account.")
  }

  @Test func `other errors are unchanged, and showing an error twice has no effect`() {
    let other = RecordsError(.quotaExceeded, "The disk is full.", reason: "diskFull")
    #expect(other.forUsers == other)
    let revoked = RecordsError(.invalidArguments, "This link was revoked.", reason: "revoked")
    #expect(revoked.forUsers == revoked)
    let error = RecordsError(.permissionFailure, "No.", reason: "readOnly", title: "Rowing")
    #expect(error.forUsers.forUsers == error.forUsers)
  }
}
