// The entry to the simulation: a number that determines a world.

import BrokerCore
import BrokerStore
import FoundationEssentials

/// A number that determines a simulated world: its kind, its climate and every random number. The tests and
/// `make simulate` both run seeds through this type, so a number gives the same world in both.
package struct Seed: Sendable {
  /// The results of a world.
  package struct Report: Sendable {
    /// Steps performed before the world settled.
    package var steps = 0
    /// Changes that the broker committed.
    package var commits = 0
    /// Deletions by a cascade, which no request named.
    package var cascadedDeletions = 0
    /// Notifications that devices received.
    package var notifications = 0
    /// How often an account lost access to a zone.
    package var losses = 0
    /// Records of other accounts that devices had at the end.
    package var sharedRecords = 0
    /// Moves between groups that the broker completed.
    package var moves = 0
    /// Conflicts resolved.
    package var resolutions = 0
    /// Deletions that a guard held.
    package var held = 0
    /// Deleted groups that a device asked to restore.
    package var groupRestorations = 0
    /// Backups restored.
    package var restores = 0
    /// Records damaged.
    package var damages = 0

    package init() {}

    /// Adds the results of another world.
    package mutating func add(_ other: Report) {
      steps += other.steps
      commits += other.commits
      cascadedDeletions += other.cascadedDeletions
      notifications += other.notifications
      losses += other.losses
      sharedRecords += other.sharedRecords
      moves += other.moves
      resolutions += other.resolutions
      held += other.held
      groupRestorations += other.groupRestorations
      restores += other.restores
      damages += other.damages
    }
  }

  /// The kinds of worlds.
  package enum Kind: String, Sendable, CaseIterable {
    /// One account, its contacts and notes: `World`.
    case account
    /// Several accounts and the timeline in the public database: `TimelineWorld`.
    case timeline
    /// Shared zones: `SharingWorld`.
    case shares
    /// Subscriptions, with devices that only subscribe and write: `NotificationWorld`.
    case subscriptions
    /// One account whose broker is damaged and restored: `RestoreWorld`.
    case restores
  }

  /// The maximum number of steps of a world of complete devices.
  package static let stepsMaximum = 800

  /// The seed's number.
  package let number: UInt64
  /// The kind of its world.
  package let kind: Kind

  /// Creates a seed and draws the kind of its world.
  package init(_ number: UInt64) {
    self.number = number
    // NB: a separate generator, so that drawing the kind does not advance the world's own sequence.
    var generator = SimulationGenerator(seed: ~number)
    // NB: another separate generator, so that seeds of the other kinds kept their worlds when restores were
    // added.
    var others = SimulationGenerator(seed: ~number &* 3)
    if others.happens(percent: 15) {
      kind = .restores
      return
    }
    let kinds: Odds<Kind> = Odds([.account: 40, .timeline: 25, .shares: 15, .subscriptions: 20])
    kind = kinds.next(&generator)
  }

  /// Plays the world as `play` does, with brokers whose stores `makeStore` makes. A broker that is restored from backups
  /// has its file in any case.
  package func play(
    stepsMaximum: Int = Seed.stepsMaximum,
    storesFrom makeStore: @escaping @Sendable (CascadeBounds) throws -> any RecordStore
  ) throws -> Report {
    try SimulatedBroker.$makeStore.withValue(makeStore) { try play(stepsMaximum: stepsMaximum) }
  }

  /// Runs the world to its end.
  /// - Parameters:
  ///   - stepsMaximum: limits the steps. A limited seed gives another world.
  ///   - trace: receives a line for every event.
  /// - Throws: `InvariantViolation`, or an error of a store.
  package func play(
    stepsMaximum: Int = Seed.stepsMaximum, trace: ((String) -> Void)? = nil
  ) throws -> Report {
    var report = Report()
    switch kind {
    case .account:
      var world = try World(seed: number, stepsMaximum: stepsMaximum)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      (report.notifications, report.cascadedDeletions) = (
        world.report.notifications, world.report.cascadedDeletions
      )
      (report.moves, report.held) = (world.report.moves, world.report.held)
      report.resolutions = world.report.resolutions
      report.groupRestorations = world.report.groupRestorations
    case .timeline:
      var world = try TimelineWorld(seed: number, stepsMaximum: stepsMaximum)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      report.cascadedDeletions = world.report.cascadedDeletions
    case .shares:
      var world = try SharingWorld(seed: number, stepsMaximum: stepsMaximum)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      (report.notifications, report.losses) = (world.report.notifications, world.report.losses)
      report.sharedRecords = world.report.sharedRecords
    case .subscriptions:
      var world = try NotificationWorld(seed: number, stepsMaximum: stepsMaximum)
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      report.notifications = world.report.notifications
    case .restores: report = try playRestores(stepsMaximum: stepsMaximum, trace: trace)
    }
    return report
  }

  /// Runs a world with files on a real disk.
  private func playRestores(
    stepsMaximum: Int, trace: ((String) -> Void)?
  ) throws -> Report {
    let folder = FileManager.default.temporaryDirectory.appending(path: "world-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var world = try RestoreWorld(seed: number, stepsMaximum: stepsMaximum, folder: folder.path)
    world.trace = trace
    try world.run()
    var report = Report()
    (report.steps, report.commits) = (world.report.steps, world.report.commits)
    (report.restores, report.damages) = (world.report.restores, world.report.damages)
    return report
  }
}
