/// A random number generator with a seed, SplitMix64. It returns the same numbers in every run, so a
/// failing property test reports its seed.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator that always returns the same sequence for `seed`.
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

  /// Returns a number from 0 to `bound` - 1.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// Returns `true` with a probability of `percent` in 100.
  package mutating func percent(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// Returns one of `choices`, which must not be empty.
  package mutating func one<Choice>(of choices: [Choice]) -> Choice {
    choices[below(choices.count)]
  }
}
