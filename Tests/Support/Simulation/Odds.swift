// How often each of a few things happens, as weights beside each other. Worlds draw theirs anew for each
// seed (swarm testing): mostly the usual weights, now and then nothing of a kind and now and then a lot of
// it, because what never happens and what always happens lets other things come to light.

/// Weights of things that may be done next.
struct Odds<Deed: Hashable & Sendable>: Sendable {
  private let weights: [(deed: Deed, weight: Int)]
  private let total: Int

  /// The usual odds, in an order that is part of the seed's story.
  init(_ weights: KeyValuePairs<Deed, Int>) {
    self.init(weights.map { (deed: $0.key, weight: $0.value) })
  }

  private init(_ weights: [(deed: Deed, weight: Int)]) {
    self.weights = weights
    total = weights.reduce(0) { $0 + $1.weight }
    precondition(total > 0, "Something must be able to happen.")
  }

  /// The same things with other weights. Those of `needed` never have none, or the world would stand
  /// still.
  func drawn(by dice: inout Dice, needed: Set<Deed>) -> Odds {
    Odds(
      weights.map { deed, weight in
        let quarters = Climate.quarters(&dice)
        // Four times as fine as the usual weights, so that a quarter of one is something.
        return (deed, weight * (needed.contains(deed) ? max(quarters, 2) : quarters))
      })
  }

  /// What is done next.
  func next(_ dice: inout Dice) -> Deed {
    var place = dice.below(total)
    for (deed, weight) in weights {
      if place < weight { return deed }
      place -= weight
    }
    preconditionFailure("A number below the total has its place.")
  }
}
