// What a seed stands for: one world, of the kind and the climate that its dice give. Whoever plays seeds –
// the tests, the program behind `make simulate` – plays them through here, so that a number is the same
// world everywhere.

import FoundationEssentials

/// One seed.
package struct Seed: Sendable {
  /// What a seed's world came to.
  package struct Report: Sendable {
    /// Steps taken before everything settled.
    package var steps = 0
    /// Changes that the broker committed.
    package var commits = 0
    /// Those that were deletions nobody asked for by name, of what goes with others.
    package var wentAlong = 0
    /// What subscriptions told.
    package var told = 0
    /// Times that somebody lost a zone.
    package var losses = 0
    /// Records of others that were held at the end.
    package var sharedRecords = 0
    /// Moves between groups that the broker took to their end.
    package var moves = 0
    /// Conflicts that somebody resolved.
    package var resolutions = 0
    /// Deletions that a guard held.
    package var held = 0
    /// Backups that were put back.
    package var restores = 0
    /// Records that were damaged.
    package var damages = 0

    /// Nothing came of anything yet.
    package init() {}

    /// Adds what came of another one.
    package mutating func add(_ other: Report) {
      steps += other.steps
      commits += other.commits
      wentAlong += other.wentAlong
      told += other.told
      losses += other.losses
      sharedRecords += other.sharedRecords
      moves += other.moves
      resolutions += other.resolutions
      held += other.held
      restores += other.restores
      damages += other.damages
    }
  }

  /// The kinds of worlds.
  package enum Kind: String, Sendable, CaseIterable {
    /// One account, its contacts and notes: `World`.
    case account
    /// Several accounts and what they show to all: `TimelineWorld`.
    case timeline
    /// Zones that people share: `SharingWorld`.
    case shares
    /// Subscriptions, with devices that do nothing else: `NotificationWorld`.
    case subscriptions
    /// One account whose broker is damaged and restored: `RestoreWorld`.
    case restores
  }

  /// The most steps that dice give to a world of whole devices.
  package static let stepsMost = 800

  /// Its number.
  package let number: UInt64
  /// What it plays.
  package let kind: Kind

  /// The seed of a number.
  package init(_ number: UInt64) {
    self.number = number
    // NB: dice of their own, so that the world's own ones are not one throw ahead.
    var dice = Dice(seed: ~number)
    // NB: dice of their own again, so that every other seed plays what it played before there were these.
    var others = Dice(seed: ~number &* 3)
    if others.happens(percent: 15) {
      kind = .restores
      return
    }
    let kinds: Odds<Kind> = Odds([.account: 40, .timeline: 25, .shares: 15, .subscriptions: 20])
    kind = kinds.next(&dice)
  }

  /// Plays the world to its end.
  /// - Parameters:
  ///   - stepsMost: cuts what dice made longer; a seed that is cut is another world.
  ///   - trace: is told of what happens.
  /// - Throws: `InvariantViolation`, or whatever a store threw.
  package func play(
    stepsMost: Int = Seed.stepsMost, trace: ((String) -> Void)? = nil
  ) throws -> Report {
    var report = Report()
    switch kind {
    case .account:
      var world = try World(seed: number, stepsMost: stepsMost)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      (report.told, report.wentAlong) = (world.report.told, world.report.wentAlong)
      (report.moves, report.held) = (world.report.moves, world.report.held)
      report.resolutions = world.report.resolutions
    case .timeline:
      var world = try TimelineWorld(seed: number, stepsMost: stepsMost)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      report.wentAlong = world.report.wentAlong
    case .shares:
      var world = try SharingWorld(seed: number, stepsMost: stepsMost)
      world.trace = trace
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      (report.told, report.losses) = (world.report.told, world.report.losses)
      report.sharedRecords = world.report.sharedRecords
    case .subscriptions:
      var world = try NotificationWorld(seed: number, stepsMost: stepsMost)
      try world.run()
      (report.steps, report.commits) = (world.report.steps, world.report.commits)
      report.told = world.report.told
    case .restores: report = try playRestores(stepsMost: stepsMost, trace: trace)
    }
    return report
  }

  /// Plays a world that has files on a real disk.
  private func playRestores(
    stepsMost: Int, trace: ((String) -> Void)?
  ) throws -> Report {
    let folder = FileManager.default.temporaryDirectory.appending(path: "world-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var world = try RestoreWorld(seed: number, stepsMost: stepsMost, folder: folder.path)
    world.trace = trace
    try world.run()
    var report = Report()
    (report.steps, report.commits) = (world.report.steps, world.report.commits)
    (report.restores, report.damages) = (world.report.restores, world.report.damages)
    return report
  }
}
