// The broker of a simulated world, whose threads are steps of the world.

import BrokerCore
import BrokerStore
import Predicates
import Records
import RecordsWire

/// The real state machine of the broker over the real store, in memory. Steps of the world take the place of
/// its two threads: one step commits a batch, another reports its results. A crash can therefore come before
/// the commit, between commit and report, or afterwards.
struct SimulatedBroker {
  private(set) var store: any RecordStore
  /// Makes the store of a new broker: one in memory, unless the simulations of a task run on another kind.
  @TaskLocal static var makeStore: @Sendable (CascadeBounds) throws -> any RecordStore = {
    try SQLiteRecordStore(cascades: $0)
  }
  private(set) var run = 0
  var isUp = true
  private var machine: Broker
  private var committer: Committer<SimulationGenerator>
  private(set) var waiting: [StorageRequest] = []
  private(set) var results: [StorageResult]?
  private(set) var reads: [ReadRequest] = []
  private var answers: [ReadResult] = []
  var disk = SimulatedDisk()

  init(cascades: CascadeBounds = CascadeBounds(), generator: inout SimulationGenerator) throws {
    self.init(store: try Self.makeStore(cascades), generator: &generator)
  }

  init(store: any RecordStore, generator: inout SimulationGenerator) {
    self.store = store
    machine = Self.machine()
    committer = Committer(store: store, generator: generator.split())
  }

  private static func machine() -> Broker {
    Broker(
      BrokerConfiguration(
        policy: BrokerPolicy(maySpeakFor: [0], accountsAreOpen: false),
        encode: { ChangesEncoder.frame($0) }, digest: { $0 }))
  }

  /// The process crashes and restarts; what was not committed is lost.
  mutating func crash() {
    run += 1
    machine = Self.machine()
    waiting = []
    results = nil
    reads = []
    answers = []
    disk.crash(store)
  }

  /// The process restarts on another database.
  mutating func restart(on store: any RecordStore, generator: inout SimulationGenerator) throws {
    crash()
    self.store = store
    committer = Committer(store: store, generator: generator.split())
  }

  /// Passes an event to the state machine. Storage requests are queued; the other actions are returned.
  mutating func handle(_ event: BrokerEvent) -> [BrokerAction] {
    machine.handle(event).filter { action in
      switch action {
      case .store(let request), .storeLater(let request, _): waiting.append(request)
      case .read(let request): reads.append(request)
      case .asset(let request): disk.requests.append(request)
      case .send, .broadcast, .publish, .sendSegment, .watch, .pause, .resume, .close, .logRefusal,
        .logMaintenance:
        return true
      }
      return false
    }
  }

  /// Commits some of the queued requests. Returns them with their results.
  mutating func commit(
    at now: Timestamp, generator: inout SimulationGenerator
  ) -> [(StorageRequest, StorageResult)] {
    let batch = Array(waiting.prefix(1 + generator.below(waiting.count)))
    waiting.removeFirst(batch.count)
    let results = committer.perform(batch, at: now)
    self.results = results
    for result in results { disk.remove(result.unusedAssets) }
    return Array(zip(batch, results))
  }

  /// Reports the results of the committed batch to the state machine.
  mutating func report() -> [BrokerAction] {
    guard let results else { return [] }
    self.results = nil
    return handle(.stored(results))
  }

  /// Whether a read is in progress.
  var isReading: Bool { !reads.isEmpty || !answers.isEmpty }

  /// Performs one read, or reports one. Any event can happen between the two.
  mutating func read(at now: Timestamp, generator: inout SimulationGenerator) -> [BrokerAction] {
    guard !reads.isEmpty, answers.isEmpty || generator.happens(percent: 50) else {
      return handle(.read(answers.removeFirst()))
    }
    let request = reads.remove(at: generator.below(reads.count))
    let clock = QueryClock(now: now) { false }
    answers.append(store.result(of: request, encode: machine.configuration.encode, clock: clock))
    return []
  }
}
