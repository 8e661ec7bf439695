// What a device wants to be told of the timeline (T6), as subscriptions with names of their own, so that
// whoever follows twice follows once, and can ask whether it does. All devices of an account are told of
// all posts and comments, in silence: they are simply there, a post with its caption. What somebody
// follows is told to people.

import Records

/// The subscriptions of the timeline.
package enum TimelineSubscription {
  /// Those that devices save without being asked: for posts, and for comments.
  package static let own = [
    SubscriptionID(stored: "timeline-posts"), SubscriptionID(stored: "timeline-comments"),
  ]

  /// The name of the subscription for comments on a post.
  /// - Throws: `invalidArguments` where the post's name is too long for it; none of ours is.
  package static func following(_ post: RecordName) throws(RecordsError) -> SubscriptionID {
    try SubscriptionID("timeline-comments-\(post.text)")
  }

  /// The name of the subscription for posts of an account.
  package static func following(_ author: AccountID) -> SubscriptionID {
    SubscriptionID(stored: "timeline-author-\(author)")
  }

  /// Tells all devices of every change of posts and comments.
  package static var ownForms: [SubscriptionForm] {
    var notification = NotificationForm()
    notification.isContentAvailable = true
    return zip(own, [PostRecord.type, CommentRecord.type]).map { id, type in
      SubscriptionForm(
        id: id, database: .public,
        kind: .query(type: type, predicate: PredicateText("TRUEPREDICATE"), zone: nil),
        options: [.creation, .update, .deletion], notification: notification)
    }
  }

  /// Tells people of comments on a post.
  /// - Parameter caption: what the post is called; `nil` where nobody knows.
  package static func commentsForm(
    _ post: RecordName, caption: String?
  ) throws(RecordsError) -> SubscriptionForm {
    var notification = NotificationForm()
    let about = caption.map { " on “\(literal(CommentText.excerpt(of: $0)))”" } ?? ""
    notification.title = "New comment\(about)"
    notification.body = "{\(CommentRecord.text.text)}"
    notification.collapseKey = nil
    let reference = Value.reference(Reference(record: post, action: .none))
    return SubscriptionForm(
      id: try following(post), database: .public,
      kind: .query(
        type: CommentRecord.type,
        predicate: PredicateText("\(CommentRecord.post.text) == %@", arguments: [reference]),
        zone: nil),
      options: [.creation], notification: notification)
  }

  /// Tells people of new posts of an account.
  /// - Parameter name: what the author is called.
  package static func authorForm(_ author: AccountID, name: String) -> SubscriptionForm {
    var notification = NotificationForm()
    notification.title = "\(literal(name)) posted a photo"
    let reference = Value.reference(
      Reference(record: RecordName(stored: author.description), action: .none))
    return SubscriptionForm(
      id: following(author), database: .public,
      kind: .query(
        type: PostRecord.type,
        predicate: PredicateText("creatorUserRecordID == %@", arguments: [reference]), zone: nil),
      options: [.creation], notification: notification)
  }

  /// Text in which braces mean nothing.
  private static func literal(_ text: String) -> String {
    String(text.map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 })
  }
}
