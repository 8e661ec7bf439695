// The reading of the public database: its beginning and end are published, and callers can request one and wait.

import DeviceStore
import Logging
import NIOCore
import Records
import SyncCore

extension ReplicaDriver {
  func publicReadingBegan() {
    status.publicReadingBegan()
    publish(EventNews(activity: .started))
  }

  func publicReadingEnded(_ outcome: PublicDatabaseSync.Outcome) {
    var refusal: RecordsError?
    if case .refused(let error) = outcome { refusal = error }
    let isNews = status.publicReadingEnded(refusal: refusal)
    if isNews, let refusal {
      logger.notice(
        "The broker rejects reading the public database",
        metadata: ["reason": "\(refusal.logText)"])
    }
    publish(EventNews(activity: .finished(isDone: outcome == .done, refusal)))
    guard outcome == .done else { return }
    // After the actions that are being performed, so that messages are sent in their order.
    loop.execute { [weak self] in
      self?.assumeIsolated { driver in
        _ = driver.act { try driver.replica.saveOwnSubscriptions(now: $0) }
      }
    }
  }

  /// Requests a reading of the public database, now or as soon as the broker can be reached.
  /// - Throws: `StoreError`.
  package func refreshPublicRecords() throws {
    perform(try replica.refreshPublicRecords(id: nil, now: environment.now()))
  }

  /// Requests a reading of the public database and waits for its end.
  /// - Returns: how a reading ended that began after the call; `nil` if none did within `waitSeconds`.
  /// - Throws: `StoreError`; `requestRateLimited` if too many callers wait.
  package nonisolated func refreshPublicRecords(
    waitSeconds: Double
  ) async throws -> PublicDatabaseSync.Outcome? {
    let wait = try await beginRefresh()
    let isWhole = await Deadline(seconds: waitSeconds).first(of: wait.answers)
    await endRefresh(wait.id)
    guard let isWhole else { return nil }
    if isWhole { return .done }
    // NB: the reason counts only if the awaited reading ended, not if the deadline did.
    return publicReadingRefusal.map { .refused($0) } ?? .interrupted
  }

  private func beginRefresh() throws -> AnswerWaits<Bool>.Wait {
    let wait = try waits.questions.begin()
    do {
      perform(try replica.refreshPublicRecords(id: wait.id, now: environment.now()))
    } catch {
      waits.questions.end(wait.id)
      throw error
    }
    return wait
  }

  private func endRefresh(_ id: UInt64) {
    waits.questions.end(id)
    replica.forgetRefresh(id: id)
  }
}
