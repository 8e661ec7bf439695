// Posts and comments as the API tells them.

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

  /// Writes what a post says into an object that was begun; with its `comments` where somebody looks at
  /// this one.
  /// - Parameter path: where the photo is on this machine, for a person's own programs to read.
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

  /// Writes what a comment says into an object that was begun.
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
