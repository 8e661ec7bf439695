import BrokerCore
import Records
import Testing

@Suite("B2 the contents of a firing")
struct FiringContentTests {
  private func form(_ change: (inout NotificationForm) -> Void) -> SubscriptionForm {
    var notification = NotificationForm()
    change(&notification)
    return SubscriptionForm(
      id: SubscriptionID(stored: "s"), kind: .database(type: nil), notification: notification)
  }

  private let old: Fields = ["name": .string("old"), "n": .int64(1)]
  private let new: Fields = ["name": .string("new"), "n": .int64(2)]

  @Test(arguments: [
    (MatchReason.created, "new"), (.entered, "new"), (.updated, "new"), (.left, "old"),
    (.deleted, "old"),
  ])
  func `a firing shows the new fields, or the old ones of a record that left`(
    reason: MatchReason, name: String
  ) throws {
    let form = form {
      $0.title = "{name}!"
      $0.body = "{{{gone}}}"
      $0.desiredKeys = ["name", "gone"]
    }
    let firing = Firing(form, because: reason, old: old, new: new)
    #expect(firing.content.title == "\(name)!" && firing.content.body == "{}")
    #expect(try firing.fields.fields() == ["name": .string(name)])
    #expect(!firing.isPruned && firing.reason == reason)
  }

  @Test func `a record's text is never interpreted as a template`() {
    let firing = Firing(
      form { $0.title = "{name}" }, because: .created, old: nil, new: ["name": .string("{n}")])
    #expect(firing.content.title == "{n}")
  }

  @Test func `a firing is pruned if its desired fields were erased, and only then`() {
    let asking = form { $0.desiredKeys = ["name"] }
    #expect(Firing(asking, because: .deleted, old: nil, new: nil).isPruned)
    #expect(!Firing(form { $0.title = "x" }, because: .deleted, old: nil, new: nil).isPruned)
  }
}
