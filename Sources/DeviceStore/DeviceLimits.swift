// The limits of what a device stores and does at a time, with their reasons and what happens at each limit.

/// The limits of a device.
package enum DeviceLimits {
  /// The number of events retained for clients that reconnect. Older ones are deleted; a client notices the gap by
  /// their numbers.
  package static let events: Int64 = 10_000
  /// The number of notifications retained for clients that reconnect. Older ones are deleted. A client that asks for
  /// a deleted one receives the number of the oldest.
  package static let notifications: Int64 = 10_000
  /// The maximum number of subscriptions, including those of other devices. More → `limitExceeded`.
  package static let subscriptions = 10_000
  /// The number of rejected edits retained for the user. Older ones are deleted.
  package static let rejectedEdits = 10_000
  /// The maximum number of edits in one step of an action. More → `limitExceeded`; the caller can add more steps.
  package static let editsPerAction = 100_000
  /// The number of actions that can be undone. Older ones are deleted.
  static let actions: Int64 = 1_000
  /// The maximum number of unsent entries that are examined for one request. The next pass examines the rest.
  static let entriesPerPass = 4_000
  /// The maximum number of entries that one pass marks as waiting for a file or a move, because each is a write. The
  /// next pass, a moment later, continues.
  static let waitsPerPass = 1_000
  /// The maximum number of requests that one transaction builds, of 400 operations each.
  static let requestsPerTransaction = 4
  /// The maximum size of the groups in a request: the protocol's limit minus the overhead of the frame.
  static let packedBytes = 1_900_000
  /// If the files here are larger together, no file is fetched unless a person requests it. A projection may stop
  /// earlier.
  package static let eagerAssetBytesTotal = 8 << 30
  /// The maximum number of wanted files that are examined when a download may start. The next pass examines the rest.
  static let wantsPerPass = 16
  /// How long a file stays after the last record that referred to it: longer than the history of records, so that
  /// undo and restoring from the trash find its bytes.
  package static let assetGraceSeconds: Int64 = 31 * 86_400
  /// The maximum time between two collections that counts as time that passed on this device.
  static let watchedSeconds: Int64 = 3600
  /// The maximum number of files in one collection, so that other work waits only for milliseconds.
  package static let assetsPerCollection = 50
  /// The maximum number of rows in lists without pages.
  package static let rowsPerList = 1_000
}
