// What people ask of the broker and wait for, and the wiping that follows the loss of a group.

import DeviceStore
import Logging
import NIOCore
import Records
import SyncCore

/// Those who wait for the answers to orders.
struct OrderWaits {
  /// Orders under way at once; one more is refused.
  static let most = 256

  private var waiting: [UInt64: AsyncStream<OrderAnswer>.Continuation] = [:]
  private var last: UInt64 = 0

  /// Begins a wait; `nil` when too many wait.
  mutating func begin() -> (id: UInt64, answers: AsyncStream<OrderAnswer>)? {
    guard waiting.count < Self.most else { return nil }
    last += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: OrderAnswer.self, bufferingPolicy: .bufferingNewest(1))
    waiting[last] = continuation
    return (last, stream)
  }

  /// The answer came.
  func answer(_ id: UInt64, _ answer: OrderAnswer) { waiting[id]?.yield(answer) }

  /// Nobody waits any more.
  mutating func end(_ id: UInt64) { waiting.removeValue(forKey: id)?.finish() }

  /// Ends all waits.
  mutating func endAll() {
    for continuation in waiting.values { continuation.finish() }
    waiting = [:]
  }
}

extension AgentDriver {
  /// How long the broker's answer is waited for.
  static let orderSeconds = 10.0

  /// Gives an order and waits for its answer.
  /// - Throws: what the broker refused it for; `serviceUnavailable` without a broker, or when its
  ///   answer does not come in time.
  nonisolated func give(
    _ order: BrokerOrder, seconds: Double = orderSeconds
  ) async throws -> OrderAnswer {
    guard phase == .live || phase == .catchingUp else { throw Self.cannotAsk(phase, storeFailure) }
    let (id, answers) = try await begin(order)
    let answer = await Deadline(seconds: seconds).first(of: answers)
    await end(order: id)
    switch answer {
    case .refused(let error): throw error
    case .some(let answer): return answer
    case nil:
      throw RecordsError(
        .serviceUnavailable, "The broker did not answer within \(Int(seconds)) s.",
        hint: "Try again. A repeated request takes effect only once.")
    }
  }

  private static func cannotAsk(_ phase: Phase, _ failure: StoreError?) -> RecordsError {
    if case .refused(let error) = phase { return error }
    if let failure {
      return RecordsError(
        failure.kind == .full ? .quotaExceeded : .serviceUnavailable, failure.standing,
        hint: "To check whether this is solved: contactsctl status")
    }
    return RecordsError(
      .serviceUnavailable, "The broker cannot be reached now; this device is \(phase).",
      hint: "Try again when contactsctl status says live.")
  }

  private func begin(
    _ order: BrokerOrder
  ) throws -> (id: UInt64, answers: AsyncStream<OrderAnswer>) {
    guard let wait = orders.begin() else {
      throw RecordsError(
        .requestRateLimited,
        "Too many pending requests to the broker; the limit is \(OrderWaits.most).",
        hint: "Try again.", retryAfterSeconds: 1)
    }
    perform(replica.give(order, id: wait.id))
    return wait
  }

  private func end(order id: UInt64) {
    orders.end(id)
    replica.forget(order: id)
  }

  /// Wipes what is left of a group that is gone, and removes its files. A reader may stand in the
  /// way for a moment, or the disk fail: then it is tried again, also after a restart.
  func erase() {
    do {
      guard try replica.needsErasing() else { return }
      if try replica.erase() {
        forgetParts()
        return collectAssets()
      }
    } catch {
      logger.error(
        "Cannot erase groups that this device lost access to; trying again",
        metadata: ["error": "\(error.logText)"])
    }
    loop.scheduleTask(in: .seconds(1)) { [weak self] in self?.assumeIsolated { $0.erase() } }
  }
}
