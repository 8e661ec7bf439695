// The bounds of what a device keeps and does at once, each with its reason and what happens at it.

/// The bounds of a device.
package enum DeviceLimits {
  /// Events kept for watchers that come back. Older ones go; a watcher sees it by the numbers.
  package static let events: Int64 = 10_000
  /// Notifications kept for people and programs that come back. Beyond, the oldest go; whoever asks
  /// for one that is gone is told which is the oldest there is.
  package static let notifications: Int64 = 10_000
  /// Subscriptions that can be saved here, those of other devices counted. More → `limitExceeded`.
  package static let subscriptions = 10_000
  /// Refused edits kept for their author. Beyond, the oldest go: nobody has looked for that long.
  package static let parked = 10_000
  /// The edits of one step of an action. More → `limitExceeded`; whoever has more calls again.
  package static let editsPerAction = 100_000
  /// Actions that can be undone. Beyond, the oldest are forgotten.
  static let actions: Int64 = 1_000
  /// Unsent entries looked at to fill a request. What is beyond waits for its turn.
  static let entriesPerPass = 4_000
  /// Entries found to wait in one pass, for files or for what is moved, each of which is written.
  /// Others have their turn a moment later.
  static let waitsPerPass = 1_000
  /// What a request is packed up to: below the protocol's bound by what its frame adds.
  static let packedBytes = 1_900_000
  /// If the files here are larger together, no file is fetched unless a person requests it. A projection may stop
  /// earlier.
  package static let eagerAssetBytesTotal = 8 << 30
  /// Wanted files looked at when one may be fetched. What is beyond waits for its turn.
  static let wantsPerPass = 16
  /// How long a file stays after the last record that referred to it: longer than the history of records, so that
  /// undo and restoring from the trash find its bytes.
  package static let assetGraceSeconds: Int64 = 31 * 86_400
  /// A longer silence between two collections is not time that passed here.
  static let watchedSeconds: Int64 = 3600
  /// Files of one collection, so that whoever waits behind it waits for milliseconds.
  package static let assetsPerCollection = 50
  /// The rows of lists that have no pages.
  package static let rowsPerList = 1_000
}
