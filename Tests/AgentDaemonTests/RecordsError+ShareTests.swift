import Records
import Testing

@testable import AgentDaemon

@Suite("Z1 errors about shares in the words of the address book")
struct ShareErrorTests {
  @Test func `the broker's words for zones become groups`() {
    let errors = [
      RecordsError(
        .unknownItem, "This zone is not shared.", hint: "Share it first.", reason: "notShared"),
      RecordsError(.zoneNotFound, "The zone does not exist."),
      RecordsError(.tooManyParticipants, "This zone has reached the limit."),
      RecordsError(
        .permissionFailure, "The owner's role in a zone cannot be changed.", field: "account"),
    ]
    for error in errors {
      let shown = error.ofShare(title: "Rowing")
      #expect(shown.message.contains("group") && !shown.message.contains("zone"), "\(shown)")
      #expect(shown.code == error.code && shown.reason == error.reason)
      #expect(shown.field == error.field)
    }
    #expect(errors[0].ofShare(title: "Rowing").message == "The group “Rowing” is not shared.")
    #expect(errors[0].ofShare(title: nil).message == "This group is not shared.")
  }

  @Test func `other errors are unchanged`() {
    let revoked = RecordsError(
      .invalidArguments, "This link was revoked.", hint: "Ask the owner.", reason: "revoked")
    #expect(revoked.ofShare(title: "Rowing") == revoked)
  }
}
