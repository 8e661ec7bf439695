import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("K4, Z6 notifications in lists")
struct SubscriptionRowsTests {
  @Test func `a request for access has a name and no id, a change both`() {
    let time = Timestamp(microseconds: 0)
    var request = NotificationItem(
      seq: 1, subscription: "s", reason: "requested", id: "b0b", badge: true, time: time)
    request.name = "Bob B."
    #expect(request.row[5] == "" && request.row[6] == "Bob B.")
    var change = request
    change.reason = "created"
    #expect(change.row[5] == "b0b")
  }
}
