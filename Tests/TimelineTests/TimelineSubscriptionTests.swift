import Records
import Testing
import Timeline

@Suite("T6 subscriptions of the timeline")
struct TimelineSubscriptionTests {
  @Test func `a device's own subscriptions are silent, and those of followers show an alert`()
    throws
  {
    let own = TimelineSubscription.ownForms
    #expect(own.map(\.id) == TimelineSubscription.own)
    for form in own {
      #expect(form.notification.isContentAvailable && form.notification.title == nil)
      #expect(form.database == .public && form.options.contains(.deletion))
    }
    let comments = try TimelineSubscription.commentsForm(
      RecordName(stored: "p1"), caption: "A {wild} view")
    #expect(comments.notification.title == "New comment on “A (wild) view”")
    #expect(comments.notification.body == "{text}")
    #expect(comments.options == [.creation])
    let author = TimelineSubscription.authorForm(AccountID(5), name: "Bob")
    #expect(author.notification.title == "Bob posted a photo")
    #expect(author.id != comments.id)
  }

  @Test func `who follows twice saves the same subscription`() throws {
    let post = RecordName(stored: "p1")
    #expect(
      try TimelineSubscription.commentsForm(post, caption: nil).id
        == TimelineSubscription.following(post))
    #expect(throws: RecordsError.self) {
      try TimelineSubscription.following(RecordName(stored: String(repeating: "x", count: 255)))
    }
  }
}
