// Following posts and authors. Following is a subscription: durable immediately, sent when a broker can be
// reached, and the same on every device of the account.

import DeviceStore
import GRDB
import Records
import SQLiteFile
import SyncCore
import Timeline

extension Replica {
  /// Follows a post: the account is notified of its new comments.
  /// - Throws: `unknownItem`; as `subscribe`.
  package func follow(post: RecordName, now: Timestamp) throws -> [SyncAction] {
    guard let view = try reader.post(named: post) else { throw RecordsError.noPost(post) }
    guard try !reader.isFollowing(post: post) else { return [] }
    return try subscribe(
      TimelineSubscription.commentsForm(post, caption: view.caption), forThisDevice: false,
      command: nil, now: now)
  }

  /// Follows the author of a post: the account is notified of the author's new posts.
  /// - Parameter name: what the author is called.
  /// - Throws: `unknownItem`, `invalidArguments` for one's own post; as `subscribe`.
  package func follow(
    authorOf post: RecordName, name: String, now: Timestamp
  ) throws -> [SyncAction] {
    let author = try reader.author(of: post)
    guard try !reader.isFollowing(authorOf: post) else { return [] }
    return try subscribe(
      TimelineSubscription.authorForm(author, name: name), forThisDevice: false, command: nil,
      now: now)
  }

  /// Stops following a post; the post itself may be gone.
  ///
  /// Unfollowing a post that is not followed has no effect.
  /// - Throws: `StoreError`.
  package func unfollow(post: RecordName, now: Timestamp) throws -> [SyncAction] {
    let id = try TimelineSubscription.following(post)
    guard try reader.subscription(id) != nil else { return [] }
    return try unsubscribe(id, now: now)
  }

  /// Stops following the author of a post.
  /// - Throws: `unknownItem`, `invalidArguments` for one's own post.
  package func unfollow(authorOf post: RecordName, now: Timestamp) throws -> [SyncAction] {
    let id = TimelineSubscription.following(try reader.author(of: post))
    guard try reader.subscription(id) != nil else { return [] }
    return try unsubscribe(id, now: now)
  }
}

extension DeviceReader {
  /// Whether this account follows a post.
  package func isFollowing(post: RecordName) throws -> Bool {
    try isInForce(TimelineSubscription.following(post))
  }

  /// Whether this account follows the author of a post.
  package func isFollowing(authorOf post: RecordName) throws -> Bool {
    guard let view = try self.post(named: post), let author = view.author, !view.isOwn else {
      return false
    }
    return try isInForce(TimelineSubscription.following(author))
  }

  private func isInForce(_ id: SubscriptionID) throws -> Bool {
    guard let found = try subscription(id) else { return false }
    return found.state == .saved || found.state == .saving
  }

  /// Returns the author of a post of another account.
  /// - Throws: `unknownItem`, `invalidArguments`.
  func author(of post: RecordName) throws -> AccountID {
    guard let view = try self.post(named: post) else { throw RecordsError.noPost(post) }
    guard let author = view.author, !view.isOwn else {
      throw RecordsError.invalid("This is your own post; you cannot follow yourself.")
    }
    return author
  }
}
