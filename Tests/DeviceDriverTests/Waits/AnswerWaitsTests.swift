import AssetFiles
import Records
import Testing

@testable import DeviceDriver

@Suite("waits for answers")
struct AnswerWaitsTests {
  @Test func `each answer reaches its own wait`() async throws {
    var waits = AnswerWaits<Int>(limit: 4)
    let (first, second) = (try waits.begin(), try waits.begin())
    waits.answer(second.id, 2)
    waits.answer(first.id, 1)
    #expect(await Deadline(seconds: 60).first(of: first.answers) == 1)
    #expect(await Deadline(seconds: 60).first(of: second.answers) == 2)
  }

  @Test func `one wait more than the limit is rejected until another ends`() throws {
    var waits = AnswerWaits<Int>(limit: 2)
    let first = try waits.begin()
    _ = try waits.begin()
    let error = #expect(throws: RecordsError.self) { try waits.begin() }
    #expect(error?.code == .requestRateLimited)
    waits.end(first.id)
    _ = try waits.begin()
  }

  @Test func `waits end together, and later ones at once`() async throws {
    var waits = AnswerWaits<Int>(limit: 2)
    let early = try waits.begin()
    waits.endAll()
    let late = try waits.begin()
    for wait in [early, late] {
      #expect(await Deadline(seconds: 60).first(of: wait.answers) == nil)
    }
  }

  @Test func `all who wait for a file get its result, and their places are free again`()
    async throws
  {
    var waits = FileWaits(limit: 3)
    let (file, other) = (Asset(of: [1]).id, Asset(of: [2]).id)
    let both = [try waits.begin(file), try waits.begin(file)]
    let third = try waits.begin(other)
    #expect(throws: RecordsError.self) { try waits.begin(other) }
    let lost = RecordsError(.assetNotAvailable, "Lost.")
    waits.end(file, because: lost)
    for wait in both { #expect(await Deadline(seconds: 60).first(of: wait.results) == lost) }
    waits.end(third.id, for: other)
    for _ in 1...3 { _ = try waits.begin(file) }
    #expect(throws: RecordsError.self) { try waits.begin(file) }
  }
}
