// The synchronization status of the timeline, and requests to read it again. Subscribers of the event stream
// are notified when a run begins and ends.

import AgentAPI
import AgentStore
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import Timeline
import TimelineStore

extension AgentRoutes {
  func addTimelineRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.timeline.route) { _, _ in try timelineStanding() }
    router.post(AgentPath.timelineSync.route) { request, _ in
      let form = try await body(request, as: TimelineSyncForm.self)
      guard let seconds = form.waitSeconds else {
        await driver.brokerAppeared()
        try await driver.refreshPublicRecords()
        return try timelineStanding()
      }
      guard seconds >= 0, seconds <= 86_400 else {
        throw RecordsError.invalid("waitSeconds must be from 0 to 86400.", field: "waitSeconds")
      }
      await driver.brokerAppeared()
      let isRead = try await driver.refreshTimeline(waitSeconds: seconds)
      if let refusal = driver.publicReadingRefusal { throw refusal }
      guard isRead else {
        throw RecordsError(
          .serviceUnavailable,
          "The timeline is not synchronized after \(seconds) s; this device is \(driver.phase).",
          hint: "Unsent posts and comments are stored and will be sent automatically.")
      }
      return try timelineStanding()
    }
  }

  private func timelineStanding() throws -> Response {
    let standing = try reader.timelineStanding()
    let refusal = driver.publicReadingRefusal
    let isReading = driver.isReadingPublicRecords
    return try .json(
      TimelineView(
        state: isReading ? "syncing" : driver.phase.description, syncing: isReading,
        unsyncedPosts: standing.unsyncedPosts, unsyncedComments: standing.unsyncedComments,
        wantedPhotos: standing.wantedPhotos, wantedPhotoBytes: standing.wantedPhotoBytes,
        lastSync: standing.lastSync, refusal: refusal?.forUsers.message))
  }

  /// Returns the identity of this agent, with the names of these accounts as far as they are discoverable.
  /// Names that were never requested are requested now, if the broker can be reached.
  func identity(knowing accounts: [AccountID?]) async throws -> Identity {
    let authors = Set(accounts.compactMap(\.self))
    let unknown = try reader.accountsToLookUp().filter(authors.contains)
    // Names that do not arrive in time are looked up again later.
    try? await driver.lookUpNames(of: unknown, waitSeconds: Self.nameSeconds)
    return try identity()
  }

  /// How long a list waits for the names of authors.
  private static let nameSeconds = 2.0
}
