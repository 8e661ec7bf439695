import AgentAPI
import DeviceDriver
import Records
import Timeline
import TimelineStore

extension PostItem {
  /// Creates the JSON of a post.
  /// - Parameter path: The path of the photo on this machine, for the user's own programs.
  init(_ view: PostView, path: String? = nil, who: Identity) {
    let post = view.post
    self.init(
      id: post.id.text, caption: view.caption, timestamp: post.timestamp,
      author: who.name(of: view.author), authorName: who.displayName(of: view.author),
      own: view.isOwn, state: view.state.rawValue, synced: view.state == .synced,
      photo: PostPhotoItem(
        type: post.mediaType, width: post.width, height: post.height, bytes: post.photo.byteCount,
        digest: post.photo.id.description, here: view.isPhotoHere, path: path),
      commentCount: view.comments)
  }
}

extension CommentItem {
  init(_ view: CommentView, who: Identity) {
    let comment = view.comment
    self.init(
      id: comment.id.text, post: comment.post.text, text: comment.text,
      timestamp: comment.timestamp, author: who.name(of: view.author),
      authorName: who.displayName(of: view.author), own: view.isOwn,
      state: view.state.rawValue, synced: view.state == .synced, edited: view.isEdited)
  }
}
