import Testing

@testable import DeviceDriver

@Suite("deadlines", .timeLimit(.minutes(5)))
struct DeadlineTests {
  @Test func `without an element the wait ends at the deadline, or with the stream`() async {
    let (silent, open) = AsyncStream.makeStream(of: Int.self)
    #expect(await Deadline(seconds: 0.01).first(of: silent) == nil)
    open.finish()
    let (ended, end) = AsyncStream.makeStream(of: Int.self)
    end.finish()
    #expect(await Deadline(seconds: 3600).first(of: ended) == nil)
  }

  @Test func `an element ends the wait before the deadline`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(7)
    #expect(await Deadline(seconds: 3600).first(of: stream) == 7)
  }
}
