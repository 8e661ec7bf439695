// Dice that fall the same way on every run (SplitMix64), so a failing property names its seed.

/// A generator that is begun with a seed.
package struct SeededDice: RandomNumberGenerator {
  private var state: UInt64

  /// Dice that fall as they always do after `seed`.
  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// True `percent` times of a hundred.
  package mutating func percent(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// One of some choices.
  package mutating func one<Choice>(of choices: [Choice]) -> Choice {
    choices[below(choices.count)]
  }
}
