// Runs simulation seeds on all cores, built with optimization, for `make simulate`. It prints the command
// that replays each failed seed, and then exits with status 1.

import Foundation
import Glibc
import Simulation
import Synchronization

/// The entry point: `simulation-run FIRST COUNT STEPS [trace]`. STEPS limits the length of each world;
/// `trace` prints every event.
@main
enum SimulationRun {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard arguments.count == 3, arguments[1] > 0 else {
      say("usage: simulation-run FIRST COUNT STEPS [trace]", to: .standardError)
      exit(64)
    }
    let seeds = SeedQueue(arguments[0]..<arguments[0] + arguments[1])
    let cores = ProcessInfo.processInfo.activeProcessorCount
    await withTaskGroup { group in
      for _ in 0..<cores {
        group.addTask { play(seeds, stepsMaximum: Int(clamping: arguments[2])) }
      }
    }
    say(seeds.tally.text(processorSeconds: processorSeconds), to: .standardOutput)
    exit(seeds.tally.failed == 0 ? 0 : 1)
  }

  /// The processor time of all cores. Unlike elapsed time, it is the same on a loaded machine.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static let isTraced = CommandLine.arguments.dropFirst(4).first == "trace"

  private static func play(_ seeds: SeedQueue, stepsMaximum: Int) {
    let trace: ((String) -> Void)? = isTraced ? { say($0, to: .standardError) } : nil
    while let number = seeds.next() {
      let seed = Seed(number)
      do {
        seeds.add(try seed.play(stepsMaximum: stepsMaximum, trace: trace))
      } catch {
        seeds.addFailure()
        say(
          "seed \(number), \(seed.kind): \(error)\nreplay: make simulate SEED=\(number) STEPS=\(stepsMaximum)",
          to: .standardError)
      }
    }
  }

  private static func say(_ text: String, to output: FileHandle) {
    output.write(Data("\(text)\n".utf8))
  }
}

/// The results of the seeds that were run.
private struct Tally {
  var next: UInt64
  let end: UInt64
  var played = 0
  var failed = 0
  var total = Seed.Report()

  func text(processorSeconds: Double) -> String {
    let count = played + failed
    let rates = String(
      format: "%.0f steps and %.1f commits a seed; %.1f seeds a second a core",
      Double(total.steps) / Double(max(played, 1)), Double(total.commits) / Double(max(played, 1)),
      Double(count) / processorSeconds)
    return
      "\(count) seeds, \(failed) failed; \(total.commits) commits, \(total.cascadedDeletions) cascaded "
      + "deletions, \(total.notifications) notifications; \(total.moves) moves, "
      + "\(total.resolutions) conflicts resolved, \(total.held) deletions held; "
      + "\(total.groupRestorations) groups restored, \(total.restores) restores, \(total.damages) records damaged; \(rates)"
  }
}

/// The seeds that remain, and the results of the others.
private final class SeedQueue: Sendable {
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

  func add(_ report: Seed.Report) {
    state.withLock { state in
      state.played += 1
      state.total.add(report)
    }
  }

  func addFailure() {
    state.withLock { $0.failed += 1 }
  }
}
