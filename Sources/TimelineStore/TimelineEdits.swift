// Posting, commenting, editing and deleting in the timeline on this device. The rules that need the device's own copy are
// here, for all callers. Each of these is an edit like any other: durable when the function returns, and sent in
// order when a broker can be reached.

import DeviceStore
import Records
import SyncCore
import Timeline

/// A photo that was looked at and is on this device's disk.
package struct PostedPhoto: Hashable, Sendable {
  /// The file.
  package let asset: Asset
  /// What it is: `image/jpeg`.
  package let mediaType: String
  /// Its width in pixels.
  package let width: Int
  /// Its height in pixels.
  package let height: Int

  /// A photo.
  package init(asset: Asset, mediaType: String, width: Int, height: Int) {
    self.asset = asset
    self.mediaType = mediaType
    self.width = width
    self.height = height
  }
}

extension Replica {
  /// Posts a photo with its caption, which becomes its first comment: both or none.
  /// - Returns: the post's name, and what is to be done.
  /// - Throws: as `edit`.
  package func post(
    _ photo: PostedPhoto, caption: CommentText, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) throws -> (RecordName, [SyncAction]) {
    let post = Post(
      id: .generated(at: now, using: &generator), photo: photo.asset, mediaType: photo.mediaType,
      width: photo.width, height: photo.height, timestamp: now)
    let comment = Comment(
      id: .generated(at: now, using: &generator), post: post.id, text: caption.text,
      timestamp: now)
    let actions = try edit(
      [
        .keepAsset(photo.asset),
        .save(Self.new(post.id, PostRecord.type, PostRecord.fields(of: post))),
        .save(Self.new(comment.id, CommentRecord.type, CommentRecord.fields(of: comment))),
      ], now: now)
    return (post.id, actions)
  }

  /// Says something about a post.
  /// - Returns: the comment's name, and what is to be done.
  /// - Throws: `unknownItem` when the post is not here; as `edit`.
  package func comment(
    on post: RecordName, _ text: CommentText, now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) throws -> (RecordName, [SyncAction]) {
    guard let view = try reader.post(named: post) else { throw RecordsError.noPost(post) }
    let comment = Comment(
      id: .generated(at: now, using: &generator), post: post, text: text.text,
      timestamp: TimelineOrder.commentTime(now, on: view.post))
    let actions = try edit(
      [.save(Self.new(comment.id, CommentRecord.type, CommentRecord.fields(of: comment)))],
      now: now)
    return (comment.id, actions)
  }

  /// Replaces the caption of a post of this account: the text of its first comment.
  /// - Throws: `unknownItem`, also if the caption is not here; `permissionFailure` if another account posted it; as
  ///   `edit`.
  package func edit(
    captionOf post: RecordName, _ caption: CommentText, now: Timestamp
  ) throws -> [SyncAction] {
    guard let view = try reader.post(named: post) else { throw RecordsError.noPost(post) }
    guard view.isOwn else { throw RecordsError.notAuthor(ofThe: "post", mayNot: "edit") }
    guard let comment = view.captionName else {
      throw RecordsError(
        .unknownItem, "The post has no caption on this device.",
        hint: "If you deleted it, add a comment.", record: post, reason: "noCaption")
    }
    return try replaceText(of: comment, with: caption, now: now)
  }

  /// Replaces the text of a comment of this account. Its time and its place in the list remain.
  /// - Throws: `unknownItem`; `permissionFailure` if another account wrote it; as `edit`.
  package func edit(
    comment name: RecordName, _ text: CommentText, now: Timestamp
  ) throws -> [SyncAction] {
    guard let view = try reader.comment(named: name) else { throw RecordsError.noComment(name) }
    guard view.isOwn else { throw RecordsError.notAuthor(ofThe: "comment", mayNot: "edit") }
    return try replaceText(of: name, with: text, now: now)
  }

  private func replaceText(
    of comment: RecordName, with text: CommentText, now: Timestamp
  ) throws -> [SyncAction] {
    let changes = FieldChanges(set: Fields([(CommentRecord.text, .string(text.text))]))
    return try edit(
      [
        .save(
          LocalEdit.RecordSave(
            id: RecordID(zone: .public, name: comment), type: CommentRecord.type,
            changes: changes, expectation: .present))
      ], now: now)
  }

  /// Deletes a post or a comment of this account. The broker deletes the comments of a deleted post; comments that
  /// this device has not sent are deleted here.
  /// - Parameter setting: a setting that changes in the same transaction.
  /// - Throws: `unknownItem`; `permissionFailure` if another account created it; as `edit`.
  package func delete(
    timeline name: RecordName, choosing setting: ChosenSetting? = nil, now: Timestamp
  ) throws -> [SyncAction] {
    let edits = try deletion(ofTimeline: name).map { LocalEdit.delete($0, version: nil) }
    return try perform(edits, as: UserAction(), choosing: setting, now: now).actions
  }

  /// Returns the records that are deleted with a post or a comment of this account.
  private func deletion(ofTimeline name: RecordName) throws -> [RecordID] {
    if let post = try reader.post(named: name) {
      guard post.isOwn else { throw RecordsError.notAuthor(ofThe: "post", mayNot: "delete") }
      // What points at the post goes before it.
      return try reader.unsentComments(of: name) + [post.record.id]
    }
    guard let comment = try reader.comment(named: name) else { throw RecordsError.noPost(name) }
    guard comment.isOwn else {
      throw RecordsError.notAuthor(ofThe: "comment", mayNot: "delete")
    }
    return [comment.record.id]
  }

  private static func new(
    _ name: RecordName, _ type: RecordType, _ fields: Fields
  ) -> LocalEdit.RecordSave {
    LocalEdit.RecordSave(
      id: RecordID(zone: .public, name: name), type: type, changes: FieldChanges(set: fields),
      expectation: .absent)
  }
}

extension RecordsError {
  /// There is no such post, or comment, on this device: `unknownItem`.
  package static func noPost(_ name: RecordName) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no post “\(name.text.prefix(80))” here.",
      record: name, reason: "noSuchPost")
  }

  /// There is no such comment on this device: `unknownItem`.
  package static func noComment(_ name: RecordName) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no comment “\(name.text.prefix(80))” here.",
      record: name, reason: "noSuchComment")
  }

  /// Another account wrote it: `permissionFailure`.
  /// - Parameters:
  ///   - what: `post` or `comment`.
  ///   - verb: `edit` or `delete`.
  ///   - author: The name of the author; `nil` if unknown.
  package static func notAuthor(
    ofThe what: String, mayNot verb: String, author: String? = nil
  ) -> RecordsError {
    let name = author.map { ", \($0)," } ?? ""
    return RecordsError(.permissionFailure, "Only its author\(name) can \(verb) the \(what).")
  }
}
