// What a step of an import hands on when things go wrong in the middle of it.

import DeviceStore
import Records
import Testing

@testable import AgentDaemon

@Suite("Steps of an import")
struct ImportStepTests {
  typealias Step = ImportStep<Int>

  /// Applies numbers: negative ones are refused, 0 meets a full disk.
  private func apply(_ numbers: ArraySlice<Int>, _ step: inout Step) throws -> [SyncAction] {
    if numbers.contains(where: { $0 < 0 }) { throw RecordsError.invalid("Less than nothing.") }
    if numbers.contains(0) { throw StoreError(.full, "The disk is full.") }
    step.outcomes += numbers
    step.action = step.action ?? 7
    return numbers.map { .report("\($0)") }
  }

  private func perform(_ numbers: [Int]) throws -> (Step, [SyncAction]) {
    try Step.perform(numbers, continuing: nil) { numbers, step in
      try apply(numbers, &step)
    } refused: { number, _ in
      number
    }
  }

  @Test func `one that is refused fails alone`() throws {
    let (step, actions) = try perform([1, -2, 3])
    #expect(step.outcomes == [1, -2, 3] && step.action == 7 && step.failure == nil)
    #expect(actions == [.report("1"), .report("3")])
  }

  @Test func `what was committed before the disk was full is handed on, with the failure`() throws {
    let (step, actions) = try perform([1, -2, 3, 0, 5])
    #expect(step.outcomes == [1, -2] && step.action == 7)
    #expect((step.failure as? StoreError)?.kind == .full)
    #expect(actions == [.report("1")])
  }

  @Test func `one that is refused among many costs few transactions`() throws {
    let numbers = (1...800).map { $0 == 500 ? -500 : $0 }
    var attempts = 0
    let (step, actions) = try Step.perform(numbers, continuing: nil) { numbers, step in
      attempts += 1
      return try apply(numbers, &step)
    } refused: { number, _ in
      number
    }
    #expect(step.outcomes == numbers && actions.count == 799)
    #expect(attempts <= 1 + 2 * 10, "each halving tries two parts")
  }

  @Test func `where nothing was refused a full disk ends it with nothing done`() {
    #expect(throws: StoreError.self) { try perform([1, 0]) }
  }
}
