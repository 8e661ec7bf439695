// The synchronization status of the timeline, and requests to read it again. Subscribers of the event stream
// are notified when a run begins and ends.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import Timeline
import TimelineStore

extension AgentAPI {
  func addTimelineRoutes(to router: Router<BasicRequestContext>) {
    let timeline = router.group("v1/timeline")
    timeline.get { _, _ in Response.json(try timelineStanding()) }
    timeline.post("sync") { request, _ in
      let form = try await body(request, as: TimelineForm.self)
      guard let seconds = form.waitSeconds else {
        await driver.brokerAppeared()
        try await driver.refreshPublicRecords()
        return Response.json(try timelineStanding())
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
      return Response.json(try timelineStanding())
    }
  }

  private func timelineStanding() throws -> JSONWriter {
    let standing = try reader.timelineStanding()
    let refusal = driver.publicReadingRefusal
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("state")
      json.value(driver.isReadingPublicRecords ? "syncing" : driver.phase.description)
      json.key("syncing")
      json.value(driver.isReadingPublicRecords)
      json.key("unsyncedPosts")
      json.value(Int64(standing.unsyncedPosts))
      json.key("unsyncedComments")
      json.value(Int64(standing.unsyncedComments))
      json.key("wantedPhotos")
      json.value(Int64(standing.wantedPhotos))
      json.key("wantedPhotoBytes")
      json.value(Int64(standing.wantedPhotoBytes))
      json.key("lastSync")
      json.value(standing.lastSync)
      json.key("refusal")
      json.value(refusal?.message)
    }
    return json
  }

  /// Returns the identity of this agent, with the names of these accounts as far as they are discoverable.
  /// Unknown names are requested from the broker once, if it is connected.
  func identity(knowing accounts: [AccountID?]) async throws -> Identity {
    var who = try identity()
    let others = Set(accounts.compactMap(\.self)).subtracting([who.account].compactMap(\.self))
    let known = await names.names(
      of: others.filter { who.accountNames[$0] == nil }, asking: driver)
    who.accountNames.merge(known) { first, _ in first }
    return who
  }
}

/// The body of `POST` on the timeline's sync.
private struct TimelineForm: Decodable, Sendable {
  let waitSeconds: Double?
}
