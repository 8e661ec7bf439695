// The real machine over the real store, in memory, with the two threads played by steps of the
// world: a batch is committed in one step and its results are reported in another, so a crash can
// come before the commit, between commit and answer, or after it.

import BrokerCore
import BrokerStore
import Records
import RecordsWire

/// A broker in a simulated world.
struct SimulatedBroker {
  private(set) var store: SQLiteRecordStore
  private(set) var run = 0
  var isUp = true
  private var machine: Broker
  private var committer: Committer<Dice>
  private(set) var waiting: [StorageRequest] = []
  private(set) var results: [StorageResult]?
  private(set) var reads: [ReadRequest] = []
  private var answers: [ReadResult] = []
  var disk = SimulatedDisk()

  init(cascades: CascadeBounds = CascadeBounds(), dice: inout Dice) throws {
    self.init(store: try SQLiteRecordStore(cascades: cascades), dice: &dice)
  }

  init(store: SQLiteRecordStore, dice: inout Dice) {
    self.store = store
    machine = Self.machine()
    committer = Committer(store: store, generator: dice.split())
  }

  private static func machine() -> Broker {
    Broker(
      BrokerConfiguration(
        policy: BrokerPolicy(maySpeakFor: [0], accountsAreOpen: false),
        encode: { range in
          ChangesEncoder.frame(
            zone: range.zone, incarnation: range.incarnation, from: range.from,
            to: range.to, scanStart: range.scanStart,
            changes: range.changes.map(ChangesEncoder.encode))
        }, digest: { $0 }))
  }

  /// The process dies and another takes its place; what was not committed is gone.
  mutating func crash() {
    run += 1
    machine = Self.machine()
    waiting = []
    results = nil
    reads = []
    answers = []
    disk.crash(store)
  }

  /// The process ends, and another one serves another database.
  mutating func restart(on store: SQLiteRecordStore, dice: inout Dice) throws {
    crash()
    self.store = store
    committer = Committer(store: store, generator: dice.split())
  }

  /// Lets the machine take in an event; what it wants of the disk waits here, the rest is returned.
  mutating func handle(_ event: BrokerEvent) -> [BrokerAction] {
    machine.handle(event).filter { action in
      switch action {
      case .store(let request), .storeLater(let request, _): waiting.append(request)
      case .read(let request): reads.append(request)
      case .asset(let request): disk.requests.append(request)
      case .send, .broadcast, .publish, .sendSegment, .pause, .resume, .close, .logRefusal,
        .logMaintenance:
        return true
      }
      return false
    }
  }

  /// Commits some of what waits. Returns the requests with their results.
  mutating func commit(
    at now: Timestamp, dice: inout Dice
  ) -> [(StorageRequest, StorageResult)] {
    let batch = Array(waiting.prefix(1 + dice.below(waiting.count)))
    waiting.removeFirst(batch.count)
    let results = committer.perform(batch, at: now)
    self.results = results
    for result in results { disk.remove(result.unusedAssets) }
    return Array(zip(batch, results))
  }

  /// Reports the committed batch to the machine.
  mutating func report() -> [BrokerAction] {
    guard let results else { return [] }
    self.results = nil
    return handle(.stored(results))
  }

  /// Whether something is being read.
  var isReading: Bool { !reads.isEmpty || !answers.isEmpty }

  /// Does one read, or reports one; between the two anything can happen.
  mutating func read(at now: Timestamp, dice: inout Dice) -> [BrokerAction] {
    guard !reads.isEmpty, answers.isEmpty || dice.happens(percent: 50) else {
      return handle(.read(answers.removeFirst()))
    }
    let request = reads.remove(at: dice.below(reads.count))
    let clock = QueryClock(now: now) { false }
    answers.append(store.result(of: request, encode: machine.configuration.encode, clock: clock))
    return []
  }
}

extension StorageResult {
  /// The files that a step of maintenance found unused.
  fileprivate var unusedAssets: [AssetDigest] {
    guard case .maintained(let result) = self, case .done(let report) = result.outcome,
      case .unusedAssets(let digests) = report.finding
    else { return [] }
    return digests
  }
}
