/// The random numbers of new histories. A reference, because a transaction's closure draws from it.
final class RandomSource: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  init(_ generator: some RandomNumberGenerator) {
    self.generator = generator
  }

  func next() -> UInt64 { generator.next() }
}
