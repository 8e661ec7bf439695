import Foundation
import PredicateWorld
import Processes

/// What is unusual about a run's brokers from its start, by its seed, and when each is started again.
struct FailoverConditions {
  /// A broker is stopped and started again after a step.
  private struct Replacement {
    let step: Int
    let broker: Int
  }

  /// How far clocks can be off, as libfaketime reads it.
  private static let offsets = ["-90", "+120", "+7m", "-4m", "+10y", "-10y"]

  /// How far the clock of each broker is off; `nil` for a right one.
  let clocks: [String?]
  /// What happens to the brokers' notifications.
  let notifications: CuttingProxy.NotificationFault?
  /// A new start of one broker after the other, during the run, as in an upgrade.
  private let replacements: [Replacement]
  /// The step after which the database is migrated as by a later version; `nil` for no migration.
  private let migrationStep: Int?

  /// Chooses the conditions. Two seeds in a row have clocks that are right and clocks that are not, and three have each
  /// fate of notifications.
  init(seed: UInt64, brokerCount: Int, stepCount: Int) {
    var generator = SeededGenerator(seed: ~seed)
    let isOdd = seed % 2 == 1
    let offsets = Self.offsets.shuffled(using: &generator)
    clocks = (0..<brokerCount).map { isOdd && $0 > 0 ? offsets[($0 - 1) % offsets.count] : nil }
      .shuffled(using: &generator)
    notifications = [nil, .lost, .unanswered][Int(seed % 3)]
    replacements = Self.upgrade(of: brokerCount, over: stepCount, using: &generator)
    migrationStep = generator.percent(50) ? generator.below(stepCount) : nil
  }

  private static func upgrade(
    of brokerCount: Int, over stepCount: Int, using generator: inout SeededGenerator
  ) -> [Replacement] {
    let order = Array(0..<brokerCount).shuffled(using: &generator)
    var upgrade = order.enumerated().map { index, broker in
      Replacement(step: (index + 1) * stepCount / (brokerCount + 1), broker: broker)
    }
    // An administrator who mistrusts the new version goes back once, which is two more starts.
    if generator.percent(50), let first = upgrade.first {
      upgrade += [
        Replacement(step: first.step + 1, broker: first.broker),
        Replacement(step: stepCount - 1, broker: first.broker),
      ]
    }
    return upgrade
  }

  /// Returns what administrators do after a step.
  func changes(after step: Int) -> [FailoverFault] {
    let migration: [FailoverFault] = step == migrationStep ? [.migration] : []
    return migration
      + replacements.filter { $0.step == step }.map { .replacement($0.broker) }
  }

  /// Whether a broker has a wrong clock.
  var areClocksApart: Bool { clocks.contains { $0 != nil } }
}

extension FailoverConditions: CustomStringConvertible {
  var description: String {
    let clocks = clocks.map { $0 ?? "right" }.joined(separator: ", ")
    let notifications = notifications.map { "\($0)" } ?? "passed on"
    return "clocks \(areClocksApart ? clocks : "right"), notifications \(notifications)"
  }
}
