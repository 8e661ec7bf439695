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

  @Test func `on a terminal a subscription has a heading, and its texts whole below it`() {
    let predicate = "company BEGINSWITH \"Acme\" AND lastName BEGINSWITH \"Winter\""
    let item = SubscriptionItem(
      id: "acme", type: "Contact", predicate: predicate, database: "private",
      on: ["created", "updated"], title: "%name%", alert: "works at Acme now", state: "saved")
    let lines = item.lines(columns: 40)
    #expect(lines.first == "acme  saved  Contact  created,updated")
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") && $0.count <= 40 })
    let words = lines.dropFirst().joined(separator: " ").split(separator: " ")
    #expect(words.joined(separator: " ") == "\(predicate) %name%: works at Acme now")
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
      ("joined", "Ada joined a group of yours."),
      ("gained", "The group “Ada” is now shared with you."),
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
