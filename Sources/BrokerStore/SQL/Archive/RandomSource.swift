/// The random numbers of new histories. A reference, because a transaction's closure draws from it.
package final class RandomSource: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  package init(_ generator: some RandomNumberGenerator) {
    self.generator = generator
  }

  /// Returns the next number of the generator.
  package func next() -> UInt64 { generator.next() }
}
