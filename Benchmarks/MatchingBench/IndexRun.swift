// Runs one workload on one index: inserts every subscription from its text, matches every event, and
// counts.

import Foundation
import Matching
import Measuring
import Predicates
import Records

/// The result of a measurement.
struct BenchResult {
  var subscriptions = 0
  var insertMicroseconds = 0.0
  var events = 0
  var matches = 0
  var meanMicroseconds = 0.0
  var p50Microseconds = 0.0
  var p99Microseconds = 0.0
  var bytesPerSubscription = 0.0

  /// The result as one line of JSON.
  var json: String {
    func short(_ number: Double) -> String { String(format: "%.3f", number) }
    return """
      {"subscriptions": \(subscriptions), "insertMicroseconds": \(short(insertMicroseconds)), \
      "events": \(events), "matches": \(matches), "meanMicroseconds": \(short(meanMicroseconds)), \
      "p50Microseconds": \(short(p50Microseconds)), "p99Microseconds": \(short(p99Microseconds)), \
      "bytesPerSubscription": \(short(bytesPerSubscription))}
      """
  }
}

/// A workload with its own index, to be measured or verified.
struct IndexRun {
  private let workload: Workload
  private let states: [RecordState]
  private let index = SubscriptionIndex()

  init(_ workload: Workload) {
    self.workload = workload
    let origin = Origin(account: AccountID(1), device: DeviceID(1), request: RequestNumber(1))
    let stamp = Stamp(time: Timestamp(microseconds: 1_700_000_000_000_000), origin: origin)
    states = workload.events.enumerated().map { number, fields in
      RecordState(
        system: SystemFields(
          name: RecordName(stored: "r\(number)"), created: stamp, modified: stamp),
        record: EncodedRecord(fields))
    }
  }

  /// The memory of the index, in bytes.
  var byteCount: Int { index.byteCount }

  /// Inserts every subscription from its text. Returns the mean processor time in microseconds.
  func insertTime() throws -> Double {
    let start = processorTime()
    try insertAll()
    let nanoseconds = Double(processorTime() - start)
    return nanoseconds / 1000 / Double(max(1, workload.subscriptions.count))
  }

  /// Matches every event against the inserted subscriptions. Returns the mean processor time in
  /// microseconds.
  func matchTime() -> Double {
    let events = states.map(event)
    var list = MatchList()
    let start = processorTime()
    for event in events { index.match(event, into: &list) }
    return Double(processorTime() - start) / 1000 / Double(max(1, states.count))
  }

  /// Inserts every subscription from its text and matches every event.
  func measure() throws -> BenchResult {
    var result = BenchResult()
    result.subscriptions = workload.subscriptions.count
    result.insertMicroseconds = try insertTime()
    result.bytesPerSubscription = Double(index.byteCount) / Double(max(1, result.subscriptions))
    var list = MatchList()
    // Matches 50 events first, so that the measurement does not include the first access to memory.
    for state in states.prefix(50) { index.match(event(state), into: &list) }
    var times: [Double] = []
    times.reserveCapacity(states.count)
    for state in states {
      let event = event(state)
      let start = now()
      index.match(event, into: &list)
      times.append(microseconds(since: start))
      result.matches += list.matches.count
    }
    result.events = states.count
    times.sort()
    guard !times.isEmpty else { return result }
    result.meanMicroseconds = times.reduce(0, +) / Double(times.count)
    result.p50Microseconds = times[times.count / 2]
    result.p99Microseconds = times[times.count * 99 / 100]
    return result
  }

  /// Evaluates every predicate on every event. Returns the mean microseconds for an event.
  func scanTime() throws -> Double {
    let evaluators = try workload.subscriptions.map { try PlainScan($0.text) }
    var matches = 0
    let start = now()
    for state in states {
      for evaluator in evaluators where try evaluator.matches(state) { matches += 1 }
    }
    guard matches > 0 else { throw BenchFailure("The plain scan found nothing.") }
    return microseconds(since: start) / Double(states.count)
  }

  /// Compares every event's matches with a plain evaluation of every predicate, and prints the ratio of
  /// times.
  /// - Throws: `BenchFailure` at the first difference.
  func verify() throws {
    try insertAll()
    var evaluators: [PlainScan] = []
    evaluators.reserveCapacity(workload.subscriptions.count)
    for subscription in workload.subscriptions {
      evaluators.append(try PlainScan(subscription.text))
    }
    var list = MatchList()
    var scanMicroseconds = 0.0
    var indexMicroseconds = 0.0
    for (number, state) in states.enumerated() {
      let start = now()
      index.match(event(state), into: &list)
      indexMicroseconds += microseconds(since: start)
      let found = list.matches.map(\.number).sorted()
      let scanStart = now()
      var expected: [UInt32] = []
      for (offset, evaluator) in evaluators.enumerated() where try evaluator.matches(state) {
        expected.append(UInt32(offset))
      }
      scanMicroseconds += microseconds(since: scanStart)
      guard found == expected else {
        let wrong = Set(found).symmetricDifference(expected).sorted().first ?? 0
        throw BenchFailure(
          "Event \(number): the index and plain evaluation differ about subscription \(wrong), "
            + workload.subscriptions[Int(wrong)].text)
      }
    }
    let ratio = scanMicroseconds / max(indexMicroseconds, 0.001)
    Output.line(
      "verified \(states.count) events; plain scan / index = \(String(format: "%.0f", ratio))")
  }

  private func insertAll() throws {
    for subscription in workload.subscriptions {
      _ = try index.insert(
        Predicate(subscription.text), scope: .zone(.standard), type: subscription.type,
        options: .creation)
    }
  }

  private func event(_ state: RecordState) -> RecordEvent {
    RecordEvent(scopes: [.zone(.standard)], type: workload.type, old: nil, new: state)
  }
}

/// One predicate that is evaluated on every record, the work that an index avoids.
final class PlainScan {
  private var evaluator: PredicateEvaluator

  init(_ text: String) throws {
    evaluator = try PredicateEvaluator(Predicates.Predicate(text), now: nil)
  }

  func matches(_ state: RecordState) throws -> Bool {
    try evaluator.matches(state.record, state.system)
  }
}

/// Returns the processor time of this thread in nanoseconds. It excludes other threads and processes.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Returns the nanoseconds of a monotonic clock.
func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

func microseconds(since start: UInt64) -> Double { Double(now() - start) / 1000 }
