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
    #expect(request.row(in: .plain)[5] == "" && request.row(in: .plain)[6] == "Bob B.")
    var change = request
    change.reason = "created"
    #expect(change.row(in: .plain)[5] == "b0b")
  }

  @Test func `a terminal shows the number, the time and the texts of the subscription`() {
    let time = Timestamp(microseconds: 0)
    var item = NotificationItem(
      seq: 12, subscription: "01a1fd03", reason: "updated", id: "c1", time: time)
    item.name = "Ada"
    #expect(item.row(in: .terminal) == ["12", time.description, "Ada was updated."])
    (item.title, item.alert) = ("Ada", "A phone number has changed.")
    #expect(item.row(in: .terminal)[2] == "Ada: A phone number has changed.")
    #expect(item.row(in: .plain).count == 9)
  }

  @Test(
    arguments: [
      ("created", "Ada was created."), ("left", "Ada no longer matches the subscription."),
      ("requested", "Ada asks for access."),
      ("lost", "The group “Ada” is no longer shared with you."),
      ("collapsed", "3 changes while this device was offline."), ("moved", "Ada: moved"),
    ])
  func `without texts, a notification says what happened`(reason: String, sentence: String) {
    var item = NotificationItem(
      seq: 1, subscription: "s", reason: reason, id: "c1", count: 3,
      time: Timestamp(microseconds: 0))
    item.name = "Ada"
    #expect(item.sentence == sentence)
  }
}
