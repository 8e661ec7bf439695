// Positions on the number line, which the index and the keys of declared indexes compare.

import PredicateWorld
import Predicates
import Records
import Testing

@Suite("B1 the number line")
struct NumberLineTests {
  @Test func `positions of integers have the order of the integers`() {
    let numbers: [Int64] = [.min, .min + 1, -(1 << 53), -2, -1, 0, 1, 2, 1 << 53, .max - 1, .max]
    for (left, right) in zip(numbers, numbers.dropFirst()) {
      #expect(NumberLine.position(left) < NumberLine.position(right))
    }
    #expect(NumberLine.position(Int64.min) == 0 && NumberLine.position(Int64.max) == .max)
  }

  @Test func `positions of doubles have the order of the doubles, and both zeros are one`() {
    var random = SeededGenerator(seed: 3)
    var numbers: [Double] = [
      0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p53, 0x1p63, .greatestFiniteMagnitude,
    ]
    for _ in 0..<200 {
      let number = Double(bitPattern: random.next())
      if number.isFinite { numbers += [number, number.nextUp] }
    }
    let all = (numbers + numbers.map { -$0 }).sorted()
    for (left, right) in zip(all, all.dropFirst()) {
      let (low, high) = (NumberLine.position(left), NumberLine.position(right))
      #expect(left == right ? low == high : low < high, "\(left) \(right)")
    }
    #expect(NumberLine.position(-0.0) == NumberLine.position(0.0))
  }

  @Test(
    arguments: zip(
      [0.5, -0.5, 2, -0x1p63, (-0x1p63).nextUp, 0x1p63, 0x1p63.nextDown, -1e300, 1e300],
      [0, -1, 2, .min, .min + 1024, .max, .max - 1023, .min, .max] as [Int64]))
  func `a double is rounded down to an integer within 64 bits`(real: Double, whole: Int64) {
    #expect(NumberLine.floor(real) == whole)
  }

  @Test func `an interval overlaps at most two cells of its level, and its ends are in them`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<3000 {
      let one = random.next() >> UInt64(random.below(64))
      let other = random.percent(30) ? one &+ random.next() % 5 : random.next()
      let (low, high) = (min(one, other), max(one, other))
      let level = NumberLine.level(from: low, to: high)
      #expect((0...63).contains(level))
      #expect((high >> UInt64(level)) - (low >> UInt64(level)) <= 1, "\(low) \(high)")
      if level > 0, level < 63 {
        #expect(high - low >= 1 << UInt64(level - 1), "\(low) \(high): a finer level fits too")
      }
    }
    #expect(NumberLine.level(from: 7, to: 7) == 0 && NumberLine.level(from: 0, to: .max) == 63)
  }
}
