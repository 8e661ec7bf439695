/// The relative weights of possible actions. Each seed draws its own (swarm testing): usually the normal
/// weights, sometimes none or many times as much of an action. A world without an action, or with many,
/// reveals other faults.
struct Odds<Action: Hashable & Sendable>: Sendable {
  private let weights: [(action: Action, weight: Int)]
  private let total: Int

  /// Creates the usual weights. Their order is part of what a seed determines.
  init(_ weights: KeyValuePairs<Action, Int>) {
    self.init(weights.map { (action: $0.key, weight: $0.value) })
  }

  private init(_ weights: [(action: Action, weight: Int)]) {
    self.weights = weights
    total = weights.reduce(0) { $0 + $1.weight }
    precondition(total > 0, "Something must be able to happen.")
  }

  /// Returns the same actions with drawn weights. Actions in `needed` never have a weight of zero, because
  /// the world could not continue.
  func drawn(by generator: inout SimulationGenerator, needed: Set<Action>) -> Odds {
    Odds(
      weights.map { action, weight in
        let quarters = Climate.quarters(&generator)
        // Weights are in quarters of the usual ones, so that a quarter of 1 is not zero.
        return (action, weight * (needed.contains(action) ? max(quarters, 2) : quarters))
      })
  }

  /// Draws the next action.
  func next(_ generator: inout SimulationGenerator) -> Action {
    var place = generator.below(total)
    for (action, weight) in weights {
      if place < weight { return action }
      place -= weight
    }
    preconditionFailure("A number below the total has its place.")
  }
}
