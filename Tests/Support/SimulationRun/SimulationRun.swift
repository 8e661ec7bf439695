// Plays worlds by seed, optimised, on as many cores as there are: what `make simulate` runs. A seed
// that fails is named with the command that plays it again; the program then ends with 1.

import Foundation
import Simulation
import Synchronization

/// The entry: `simulation-run FIRST COUNT [trace]`; with the word, everything that happens is told.
@main
enum SimulationRun {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard arguments.count == 2, arguments[1] > 0 else {
      say("usage: simulation-run FIRST COUNT", to: .standardError)
      exit(64)
    }
    let seeds = SeedQueue(arguments[0]..<arguments[0] + arguments[1])
    let start = Date()
    let cores = ProcessInfo.processInfo.activeProcessorCount
    await withTaskGroup { group in
      for _ in 0..<cores { group.addTask { play(seeds) } }
    }
    let tally = seeds.tally
    let perSecond = Double(arguments[1]) / Date().timeIntervalSince(start) / Double(cores)
    say(
      "\(arguments[1]) seeds, \(tally.failed) failed; \(tally.commits) commits, \(tally.told) told; "
        + String(format: "%.1f seeds a second a core", perSecond), to: .standardOutput)
    exit(tally.failed == 0 ? 0 : 1)
  }

  private static let isTraced = CommandLine.arguments.dropFirst(3).first == "trace"

  private static func play(_ seeds: SeedQueue) {
    while let seed = seeds.next() {
      let failures = [playAccount, playShares, playSubscriptions].compactMap { play -> String? in
        do {
          try play(seed, seeds)
          return nil
        } catch {
          return "\(error)"
        }
      }
      guard !failures.isEmpty else { continue }
      seeds.addFailure()
      let told = failures.map { "seed \(seed): \($0)\n" }.joined()
      say("\(told)replay: make simulate SEED=\(seed)", to: .standardError)
    }
  }

  private static func playAccount(_ seed: UInt64, _ seeds: SeedQueue) throws {
    var world = try World(seed: seed)
    if isTraced { world.trace = { say($0, to: .standardError) } }
    try world.run(steps: World.usualSteps)
    seeds.add(commits: world.report.commits, told: world.report.told)
  }

  private static func playShares(_ seed: UInt64, _ seeds: SeedQueue) throws {
    var world = try SharingWorld(seed: seed)
    if isTraced { world.trace = { say($0, to: .standardError) } }
    try world.run(steps: SharingWorld.usualSteps)
    seeds.add(commits: 0, told: world.report.told)
  }

  private static func playSubscriptions(_ seed: UInt64, _ seeds: SeedQueue) throws {
    var world = try NotificationWorld(seed: seed)
    try world.run(steps: NotificationWorld.usualSteps)
    seeds.add(commits: 0, told: world.report.told)
  }

  private static func say(_ text: String, to output: FileHandle) {
    output.write(Data("\(text)\n".utf8))
  }
}

/// The seeds that are still to be played, and what came of the others.
private final class SeedQueue: Sendable {
  struct Tally {
    var next: UInt64
    let end: UInt64
    var commits = 0
    var told = 0
    var failed = 0
  }

  private let state: Mutex<Tally>

  init(_ seeds: Range<UInt64>) {
    state = Mutex(Tally(next: seeds.lowerBound, end: seeds.upperBound))
  }

  var tally: Tally { state.withLock { $0 } }

  func next() -> UInt64? {
    state.withLock { state in
      guard state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func add(commits: Int, told: Int) {
    state.withLock { state in
      state.commits += commits
      state.told += told
    }
  }

  func addFailure() {
    state.withLock { $0.failed += 1 }
  }
}
