// Posts and comments in the agent's JSON.

import DeviceDriver
import DeviceStore
import Records
import Timeline
import TimelineStore

extension JSONWriter {
  /// Writes a post as an object.
  mutating func post(_ view: PostView, who: Identity) {
    object { $0.properties(of: view, who: who) }
  }

  /// Writes the properties of a post into an open object, with its `comments` in the answer for a single
  /// post.
  /// - Parameter path: The path of the photo on this machine, for the user's own programs.
  mutating func properties(
    of view: PostView, comments: [CommentView]? = nil, path: String? = nil, who: Identity
  ) {
    key("id")
    value(view.post.id.text)
    key("caption")
    value(view.caption)
    key("timestamp")
    value(view.post.timestamp)
    author(view.author, isOwn: view.isOwn, who: who)
    key("state")
    value(view.state.rawValue)
    key("synced")
    value(view.state == .synced)
    key("photo")
    object { json in
      json.key("type")
      json.value(view.post.mediaType)
      json.key("width")
      json.value(Int64(view.post.width))
      json.key("height")
      json.value(Int64(view.post.height))
      json.key("bytes")
      json.value(Int64(view.post.photo.byteCount))
      json.key("digest")
      json.value(view.post.photo.id.description)
      json.key("here")
      json.value(view.isPhotoHere)
      if let path {
        json.key("path")
        json.value(path)
      }
    }
    key("commentCount")
    value(Int64(view.comments))
    guard let comments else { return }
    key("comments")
    list(comments) { json, comment in json.comment(comment, who: who) }
  }

  /// Writes a comment as an object.
  mutating func comment(_ view: CommentView, who: Identity) {
    object { $0.properties(of: view, who: who) }
  }

  /// Writes the properties of a comment into an open object.
  mutating func properties(of view: CommentView, who: Identity) {
    key("id")
    value(view.comment.id.text)
    key("post")
    value(view.comment.post.text)
    key("text")
    value(view.comment.text)
    key("timestamp")
    value(view.comment.timestamp)
    author(view.author, isOwn: view.isOwn, who: who)
    key("state")
    value(view.state.rawValue)
    key("synced")
    value(view.state == .synced)
  }

  private mutating func author(_ account: AccountID?, isOwn: Bool, who: Identity) {
    key("author")
    value(who.name(of: account))
    key("own")
    value(isOwn)
  }
}
