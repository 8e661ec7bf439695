import Records
import Testing

@testable import SyncCore

@Suite("I19 pieces as long as the connection is fast")
struct PieceSizeTests {
  private func size(afterMilliseconds answers: [Int64], maximum: Int = 256 << 10) -> Int {
    var size = PieceSize()
    for milliseconds in answers {
      size.answered(
        sentAt: Timestamp(microseconds: 5), now: Timestamp(microseconds: 5 + milliseconds * 1000),
        maximum: maximum)
    }
    return size.bytes
  }

  @Test func `pieces begin short and grow while the broker answers at once`() {
    #expect(size(afterMilliseconds: []) == 64 << 10)
    #expect(size(afterMilliseconds: [1]) == 128 << 10)
    #expect(size(afterMilliseconds: [1, 2, 3, 4]) == 256 << 10)
  }

  @Test func `they never get longer than the broker takes`() {
    #expect(size(afterMilliseconds: [1, 1, 1], maximum: 64 << 10) == 64 << 10)
    #expect(size(afterMilliseconds: [1, 1, 1], maximum: 100_000) == 100_000)
  }

  @Test func `a slow connection makes them short again`() {
    #expect(size(afterMilliseconds: [1, 1, 200]) == 256 << 10)
    #expect(size(afterMilliseconds: [1, 1, 500, 500, 500]) == 64 << 10)
  }

  @Test func `a clock that is set back does no harm`() {
    #expect(size(afterMilliseconds: [-5_000_000, -1]) == 256 << 10)
  }
}
