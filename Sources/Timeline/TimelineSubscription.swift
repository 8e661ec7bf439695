// The subscriptions of the timeline (T6). Their ids derive from what they follow, so following twice creates
// one subscription, and a device can check whether it exists. All devices of an account receive all posts and
// comments silently: they appear in the list, a post with its caption. Only for followed posts and authors
// does a device alert its user.

import Records

/// The subscriptions of the timeline.
package enum TimelineSubscription {
  /// The subscriptions that every device saves by itself: for posts and for comments.
  package static let own = [
    SubscriptionID(stored: "timeline-posts"), SubscriptionID(stored: "timeline-comments"),
  ]

  /// Returns the id of the subscription for comments on a post.
  /// - Throws: `invalidArguments` if the post's name is too long for an id; names of this project never are.
  package static func following(_ post: RecordName) throws(RecordsError) -> SubscriptionID {
    try SubscriptionID("timeline-comments-\(post.text)")
  }

  /// Returns the id of the subscription for posts of an account.
  package static func following(_ author: AccountID) -> SubscriptionID {
    SubscriptionID(stored: "timeline-author-\(author)")
  }

  /// Subscribes all devices to every change of posts and comments.
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

  /// Subscribes to comments on a post, with alerts.
  /// - Parameter caption: The caption of the post; `nil` if unknown.
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

  /// Subscribes to new posts of an account, with alerts.
  /// - Parameter name: The display name of the author.
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

  /// Escapes the braces of a text.
  private static func literal(_ text: String) -> String {
    String(text.map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 })
  }
}
