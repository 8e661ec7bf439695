// Feeds that the broker stopped because something stood in its way for a moment: a disk that failed,
// a file that could not be opened. Nothing is wrong with what was read, so the zone is attached to
// again from there, after a while that grows as long as none comes to its end. Until then its edits
// wait here, as while it is read for the first time.

import Records

extension SyncMachine {
  /// The broker could not go on with a zone's feed: it is asked again after a while.
  mutating func putOff(
    _ zone: ZoneID, _ error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    feeds[zone]?.isLevel = false
    feeds[zone]?.isResuming = false
    let isFirst = feeds.deferred.isEmpty
    feeds.deferred.insert(zone)
    // Who is waited for already is waited for by the others too.
    guard isFirst else { return [] }
    let asked = (error.retryAfterSeconds ?? 0) * 1000
    let drawn = feeds.attachBackoff.nextMilliseconds(using: &generator)
    return [.wait(.attachment, milliseconds: max(asked, drawn))]
  }

  /// The while is over.
  mutating func attachPutOff() -> [SyncStep] {
    guard conversation.isReady else { return [] }
    feeds.toAttach.formUnion(feeds.deferred.filter { feeds[$0] != nil })
    feeds.deferred = []
    return attachAsked()
  }
}
