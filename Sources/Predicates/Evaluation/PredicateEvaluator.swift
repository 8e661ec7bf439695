import Records

/// A compiled predicate that is evaluated on one record after another, as by a query.
package struct PredicateEvaluator: ~Copyable {
  private let program: Program
  private let table: FieldTable
  private var view = EvaluatedRecord()
  /// The cost of the last evaluation, in steps (bytes read).
  package private(set) var stepsUsed = 0

  /// Compiles `predicate`. `now` is the value of `now()`, or `nil` if it cannot be used.
  /// - Throws: `invalidArguments` if the predicate uses `now()` and `now` is `nil`.
  package init(_ predicate: Predicate, now: Timestamp?) throws(RecordsError) {
    var compiler = ProgramCompiler()
    var table = FieldTable()
    try compiler.compile(predicate.normalised(), &table, now: now)
    program = compiler.program
    self.table = table
  }

  /// Returns whether the predicate matches a record, without decoding it.
  /// - Throws: `limitExceeded` if the evaluation needs more than `PredicateLimits.stepsPerRun`.
  package mutating func matches(
    _ record: EncodedRecord, _ system: SystemFields
  ) throws(RecordsError) -> Bool {
    switch run(on: record, system) {
    case .yes: return true
    case .no: return false
    case .failed:
      throw RecordsError(
        .limitExceeded, "Evaluating the predicate on record “\(system.name)” takes too long.",
        hint: "Use LIKE with fewer stars.", record: system.name)
    }
  }

  /// Evaluates the predicate on a record, without decoding it. The outcome is `failed` if this takes more
  /// than `stepsMaximum` steps. A maximum below the default also applies to loading the record.
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

  /// Returns whether the predicate matches decoded fields, which are encoded first.
  /// - Throws: the errors of evaluating an encoded record.
  package mutating func matches(
    _ fields: Fields, _ system: SystemFields
  ) throws(RecordsError) -> Bool {
    try matches(EncodedRecord(fields), system)
  }
}
