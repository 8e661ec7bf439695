// All chance in a simulated world comes from here, so a seed is the whole story of a run.

/// A seeded generator: SplitMix64.
package struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Dice that fall the same way for the same seed.
  package init(seed: UInt64) {
    // NB: neighbouring seeds must not stand one step apart in the same row of numbers: their worlds
    // fall into step, and a thousand seeds see hardly more than one.
    state = seed
    let place = next()
    state = place
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Other dice, which fall independently of these from here on.
  package mutating func split() -> Dice {
    Dice(seed: next())
  }

  /// A number below `bound`, which is above zero.
  package mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  /// Whether something happens that happens `percent` times in a hundred.
  package mutating func happens(percent: Int) -> Bool {
    below(100) < percent
  }
}
