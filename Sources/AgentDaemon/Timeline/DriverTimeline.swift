// The driver's part in the timeline: to know what is going on and tell who watches, and to let people
// wait for it.

import DeviceStore
import Logging
import NIOCore
import Records
import SyncCore
import Synchronization
import TimelineStore

/// What the device is doing about the timeline, and what came of it last.
struct TimelineActivity: Sendable {
  /// Whether a run is under way.
  var isRunning = false
  /// Why the broker refused the last run, if it did.
  var refusal: RecordsError?
}

extension AgentDriver {
  /// Whether a run over the timeline is under way.
  nonisolated var isReadingPublicRecords: Bool { timeline.withLock(\.isRunning) }

  /// Why the broker does not let the timeline be read, if it does not.
  nonisolated var timelineRefusal: RecordsError? { timeline.withLock(\.refusal) }

  func publicReadingBegan() {
    timeline.withLock { $0.isRunning = true }
    hub.tell(SyncActivity.started)
  }

  func publicReadingEnded(_ ending: PublicReading.Ending) {
    var refusal: RecordsError?
    if case .refused(let error) = ending { refusal = error }
    let isNews = timeline.withLock { activity in
      defer { activity = TimelineActivity(isRunning: false, refusal: refusal) }
      return activity.refusal != refusal
    }
    if isNews, let refusal {
      logger.notice(
        "The broker rejects reading the timeline", metadata: ["reason": "\(refusal.logText)"])
    }
    hub.tell(SyncActivity.finished(isDone: ending == .done, refusal))
    guard ending == .done else { return }
    // What stands in the store decides, and not what was done before: somebody else may have signed in
    // since, or the broker may have forgotten.
    // Behind what is being done now, so that nothing is sent out of its order.
    loop.execute { [weak self] in
      self?.assumeIsolated { driver in
        driver.act { now in
          do {
            return try driver.replica.followTimeline(now: now)
          } catch let error as RecordsError {
            // Without being told it reads the timeline all the same, at each connection.
            driver.logger.notice(
              "The broker rejects subscriptions to the timeline",
              metadata: ["reason": "\(error.logText)"])
            return []
          }
        }
      }
    }
  }

  /// Wants a run over the timeline, now or as soon as there is a broker.
  func refreshPublicRecords() throws {
    perform(try replica.refreshPublicRecords(id: nil, now: SystemClock.now()))
  }

  /// Wants a run over the timeline and waits for its end.
  /// - Returns: whether everything was read by a run that began from now on. A broker that does not let
  ///   the timeline be read at all has nothing to wait for.
  nonisolated func refreshPublicRecords(waitSeconds: Double) async throws -> Bool {
    let (id, answers) = try await beginRefresh()
    let isWhole = await Deadline(seconds: waitSeconds).first(of: answers)
    await endRefresh(id)
    if isWhole == true { return true }
    // NB: it counts only if the run that was waited for ended so.
    guard isWhole == false, let refusal = timelineRefusal else { return false }
    return [.invalidArguments, .incompatibleVersion, .permissionFailure].contains(refusal.code)
  }

  private func beginRefresh() throws -> (id: UInt64, answers: AsyncStream<Bool>) {
    let wait = beginWait()
    do {
      perform(try replica.refreshPublicRecords(id: wait.id, now: SystemClock.now()))
    } catch {
      end(question: wait.id)
      throw error
    }
    return wait
  }

  private func endRefresh(_ id: UInt64) {
    end(question: id)
    replica.forgetRefresh(id: id)
  }

  /// Somebody looks at a photo: it stays for a while whatever the rule says. A disk that is full is no
  /// reason not to show what is on it.
  func keepPhoto(_ asset: Asset, seconds: Int64) {
    do {
      let now = SystemClock.now()
      try replica.keepPhoto(asset.id, until: now.adding(seconds: seconds), now: now)
    } catch {
      logger.debug(
        "Cannot store that a photo was viewed", metadata: ["error": "\(error.logText)"])
    }
  }

  /// How much of a file that is being fetched is here; `nil` when it is not under way.
  func fetchedBytes(of asset: Asset) -> Int? { replica.fetchedBytes(of: asset.id) }
}
