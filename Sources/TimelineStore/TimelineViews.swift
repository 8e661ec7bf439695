// What the device tells of the timeline: plain values.

import DeviceStore
import Records
import Timeline

/// Whether the broker has what is shown (T5).
package enum SyncState: String, Hashable, Sendable, CaseIterable {
  /// It has not been sent.
  case unsynced
  /// It is on its way.
  case syncing
  /// The broker has exactly this.
  case synced
}

/// A post as this device shows it.
package struct PostView: Hashable, Sendable {
  /// The record.
  package let record: RecordView
  /// What it says.
  package let post: Post
  /// Who posted it; `nil` for this account before it is known.
  package let author: AccountID?
  /// Whether this account did.
  package let isOwn: Bool
  /// Whether the broker has it.
  package let state: SyncState
  /// Its first comment; `nil` while that is not here.
  package let caption: String?
  /// The record of the caption.
  package let captionName: RecordName?
  /// How many comments it has, the caption among them.
  package let comments: Int
  /// Whether the photo is on this device.
  package let isPhotoHere: Bool
}

/// A comment as this device shows it.
package struct CommentView: Hashable, Sendable {
  /// The record.
  package let record: RecordView
  /// What it says.
  package let comment: Comment
  /// Who said it; `nil` for this account before it is known.
  package let author: AccountID?
  /// Whether this account did.
  package let isOwn: Bool
  /// Whether the broker has it.
  package let state: SyncState
  /// Whether its author changed the text after the broker had it.
  package let isEdited: Bool
}

/// A page of a post's comments: at most 1,000, and as many as weigh about a mebibyte.
package struct CommentPage: Hashable, Sendable {
  /// The comments, oldest first.
  package let comments: [CommentView]
  /// What to ask the next page with; `nil` at the end.
  package let next: String?
}

/// Which posts to list.
package struct PostQuery: Hashable, Sendable {
  /// Only those of which a comment has these words.
  package var search: TimelineSearch?
  /// Only those of one of these states.
  package var states: Set<SyncState>
  /// Where the page before ended (`PostPage.next`).
  package var cursor: String?
  /// The most posts of a page: 1 to 1000.
  package var limit: Int

  /// A query for all posts.
  package init(
    search: TimelineSearch? = nil, states: Set<SyncState> = Set(SyncState.allCases),
    cursor: String? = nil, limit: Int = 100
  ) {
    self.search = search
    self.states = states
    self.cursor = cursor
    self.limit = limit
  }
}

/// A page of posts.
package struct PostPage: Hashable, Sendable {
  /// The posts, newest first.
  package let posts: [PostView]
  /// What to ask the next page with; `nil` at the end.
  package let next: String?
}

/// How the timeline stands to the broker.
package struct TimelineStanding: Hashable, Sendable {
  /// Posts that the broker has not got as they are.
  package let unsyncedPosts: Int
  /// Comments that it has not got.
  package let unsyncedComments: Int
  /// Photos that are still to be fetched.
  package let wantedPhotos: Int
  /// How much they weigh, in bytes.
  package let wantedPhotoBytes: Int
  /// When everything was last read.
  package let lastSync: Timestamp?
}
