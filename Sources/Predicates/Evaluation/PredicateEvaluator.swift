// One predicate, run on one record after the other: what a query does with the records of a zone.

import Records

/// A predicate made ready to be asked of many records.
package struct PredicateEvaluator: ~Copyable {
  private let program: Program
  private let table: FieldTable
  private var view = RecordView()
  /// What the last record took, in bytes looked at.
  package private(set) var stepsUsed = 0

  /// Makes `predicate` ready; `now` is what `now()` stands for, `nil` where it may not be used.
  /// - Throws: `invalidArguments` where it is used all the same.
  package init(_ predicate: Predicate, now: Timestamp?) throws(RecordsError) {
    var compiler = ProgramCompiler()
    var table = FieldTable()
    try compiler.compile(predicate.normalised(), &table, now: now)
    program = compiler.program
    self.table = table
  }

  /// Whether the predicate holds for a record, without decoding it.
  /// - Throws: `limitExceeded` when finding out takes more than it may.
  package mutating func matches(
    _ record: EncodedRecord, _ system: SystemFields
  ) throws(RecordsError) -> Bool {
    switch run(on: record, system) {
    case .yes: return true
    case .no: return false
    case .failed:
      throw RecordsError(
        .limitExceeded, "The predicate looks at too much of record “\(system.name)”.",
        hint: "Use LIKE with fewer stars.", record: system.name)
    }
  }

  /// Asks the predicate of a record, without decoding it; fails where that takes more than `stepsMaximum`.
  package mutating func run(
    on record: EncodedRecord, _ system: SystemFields,
    stepsMaximum: Int = PredicateLimits.stepsPerRun
  ) -> RunOutcome {
    let isWhole = stepsMaximum >= PredicateLimits.stepsPerRun
    view.load(record, system, table, stepsMaximum: isWhole ? .max : stepsMaximum)
    let outcome = view.run(program, stepsMaximum: stepsMaximum)
    stepsUsed = view.loadSteps + stepsMaximum - view.stepsLeft
    return outcome
  }

  /// Whether the predicate holds for decoded fields.
  /// - Throws: As for an encoded record, which is what they are made into first.
  package mutating func matches(
    _ fields: Fields, _ system: SystemFields
  ) throws(RecordsError) -> Bool {
    try matches(EncodedRecord(fields), system)
  }
}
