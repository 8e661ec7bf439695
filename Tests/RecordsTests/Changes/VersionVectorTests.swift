import Records
import Testing

@Suite("I23 version vectors")
struct VersionVectorTests {
  private static func vector(_ entries: [(UInt128, Int64)]) -> VersionVector {
    VersionVector(
      entries.map {
        VersionVector.Entry(incarnation: Incarnation($0.0), revision: Revision($0.1))
      })
  }

  @Test func `a vector includes another if it does so in each history`() {
    let one = Self.vector([(2, 5), (3, 1)])
    #expect(one.includes(one) && one.includes(VersionVector()))
    #expect(one.includes(Self.vector([(2, 4)])))
    #expect(!one.includes(Self.vector([(2, 6)])) && !one.includes(Self.vector([(4, 1)])))
    #expect(one.union(Self.vector([(2, 3), (4, 9)])) == Self.vector([(4, 9), (3, 1), (2, 5)]))
    #expect(one.newest == Revision(5))
  }

  @Test func `the bytes of a vector give it back, and others are rejected`() {
    let vector = Self.vector([(9, 1 << 40), (2, 3)])
    #expect(VersionVector(bytes: vector.bytes) == vector)
    #expect(VersionVector(bytes: vector.bytes.dropLast()) == nil)
  }

  @Test func `beyond the limit the entry of the lowest revision is dropped`() {
    let count = Int64(VersionVector.entriesMaximum)
    let vector = Self.vector((0...count).map { (UInt128($0) + 2, $0 + 1) })
    #expect(vector.entries.count == Int(count))
    #expect(vector[Incarnation(2)] == nil && vector[Incarnation(3)] == Revision(2))
  }
}
