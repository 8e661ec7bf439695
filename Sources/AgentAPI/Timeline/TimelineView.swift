import Records

/// The state of the timeline on this device.
package struct TimelineView: Codable, Hashable, Sendable {
  package var schema = 1
  /// `syncing` while the timeline is read, otherwise the phase of the connection.
  package var state: String
  /// Whether the timeline is being read.
  package var syncing: Bool
  package var unsyncedPosts: Int
  package var unsyncedComments: Int
  /// The number of photos that are still to be downloaded.
  package var wantedPhotos: Int
  package var wantedPhotoBytes: Int
  /// When everything was last read.
  package var lastSync: Timestamp?
  /// Why the broker denies reading the timeline.
  package var refusal: String?

  package init(
    state: String, syncing: Bool, unsyncedPosts: Int, unsyncedComments: Int, wantedPhotos: Int,
    wantedPhotoBytes: Int, lastSync: Timestamp?, refusal: String?
  ) {
    self.state = state
    self.syncing = syncing
    self.unsyncedPosts = unsyncedPosts
    self.unsyncedComments = unsyncedComments
    self.wantedPhotos = wantedPhotos
    self.wantedPhotoBytes = wantedPhotoBytes
    self.lastSync = lastSync
    self.refusal = refusal
  }
}

extension AgentPath {
  /// The state of the timeline.
  package static let timeline = AgentPath("timeline")
  /// A reading of the timeline.
  package static let timelineSync = AgentPath("timeline", "sync")
}
