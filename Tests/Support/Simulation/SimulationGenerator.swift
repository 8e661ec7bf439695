/// The random number generator of a simulated world, SplitMix64. A world draws every random number from
/// it, so a seed determines the whole run.
package struct SimulationGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator that always returns the same sequence for `seed`.
  package init(seed: UInt64) {
    // NB: adjacent seeds must not give the same sequence shifted by one number. Their worlds would
    // soon coincide, and a thousand seeds would test little more than one.
    state = seed
    let scrambled = next()
    state = scrambled
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Returns a new generator that is independent of later draws from this one.
  package mutating func split() -> SimulationGenerator {
    SimulationGenerator(seed: next())
  }

  /// Returns a number from 0 to `bound` - 1; `bound` is positive.
  package mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  /// Returns `true` with a probability of `percent` in 100.
  package mutating func happens(percent: Int) -> Bool {
    below(100) < percent
  }
}
