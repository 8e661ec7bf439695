// Tree → program. AND and OR become places to go on, NOT exchanges them, so negation costs nothing
// and never touches an operator. An index may number the values it has keys for; comparing them for
// equality is then comparing numbers.

import Records

/// The numbers that an index gives to the values it has keys for.
package struct ValueNumbering {
  /// The number of a value in a slot; `nil` to compare the value itself.
  package let number: (_ slot: UInt16, _ value: ValueView) -> UInt32?
  /// The number of a word of texts.
  package let word: (_ word: UnsafeBufferPointer<UInt8>) -> UInt32
  /// The slot for the elements of the list in a field, or for a part of its entries.
  package let elementSlot:
    (
      _ table: inout FieldTable, _ field: UInt16, _ part: [UInt8], _ options: TextOptions
    ) throws(RecordsError) -> UInt16

  /// Numbers that these give.
  package init(
    number: @escaping (UInt16, ValueView) -> UInt32?,
    word: @escaping (UnsafeBufferPointer<UInt8>) -> UInt32,
    elementSlot:
      @escaping (inout FieldTable, UInt16, [UInt8], TextOptions) throws(RecordsError) ->
      UInt16
  ) {
    self.number = number
    self.word = word
    self.elementSlot = elementSlot
  }
}

/// Compiles normalised predicates for the slots of one table.
package struct ProgramCompiler {
  /// What was compiled last.
  package private(set) var program = Program()
  private var labels: [UInt16] = []

  /// A compiler.
  package init() {}

  /// Compiles `predicate`, which is normalised, into `program`, which comes out the same for equal
  /// predicates, slots and symbols.
  /// - Throws: `invalidArguments` where `now()` is asked for and none is given; `limitExceeded`
  ///   where there are no slots left.
  package mutating func compile(
    _ predicate: Predicate, _ table: inout FieldTable, now: Timestamp?,
    numbering: ValueNumbering? = nil
  ) throws(RecordsError) {
    program.removeAll()
    labels.removeAll(keepingCapacity: true)
    try emit(
      predicate, onTrue: Instruction.accept, onFalse: Instruction.reject,
      &table, now: now, numbering: numbering)
    // Whole units of 16 bytes, as instructions are, so that an index can keep both in one run.
    while program.constants.count % 16 != 0 { program.constants.append(0) }
    for index in program.instructions.indices {
      program.instructions[index].onTrue = resolved(program.instructions[index].onTrue)
      program.instructions[index].onFalse = resolved(program.instructions[index].onFalse)
    }
  }

  // While it is compiled, a place to go on is a label, whose instruction is known once it is there.
  private func resolved(_ label: UInt16) -> UInt16 {
    label >= Instruction.reject ? label : labels[Int(label)]
  }

  private mutating func emit(
    _ predicate: Predicate, onTrue: UInt16, onFalse: UInt16, _ table: inout FieldTable,
    now: Timestamp?, numbering: ValueNumbering?
  ) throws(RecordsError) {
    switch predicate {
    case .not(let operand):
      try emit(operand, onTrue: onFalse, onFalse: onTrue, &table, now: now, numbering: numbering)
    case .and(let operands), .or(let operands):
      let isAnd = if case .and = predicate { true } else { false }
      for operand in operands.dropLast() {
        let next = UInt16(labels.count)
        labels.append(0)
        try emit(
          operand, onTrue: isAnd ? next : onTrue, onFalse: isAnd ? onFalse : next, &table,
          now: now, numbering: numbering)
        labels[Int(next)] = UInt16(program.instructions.count)
      }
      if let last = operands.last {
        try emit(last, onTrue: onTrue, onFalse: onFalse, &table, now: now, numbering: numbering)
      }
    case .comparison(let comparison):
      if let numbering,
        try emitMembership(
          comparison, onTrue: onTrue, onFalse: onFalse, &table, numbering: numbering)
      {
        return
      }
      append(
        try instruction(for: comparison, &table, now: now, numbering: numbering),
        onTrue: onTrue, onFalse: onFalse)
    case .constant, .words, .distance:
      append(
        try instruction(for: predicate, &table, numbering: numbering),
        onTrue: onTrue, onFalse: onFalse)
    }
  }

  private mutating func append(_ instruction: Instruction, onTrue: UInt16, onFalse: UInt16) {
    var instruction = instruction
    let isSwapped = instruction.operation == .present && instruction.detail == 1
    instruction.detail = isSwapped ? 0 : instruction.detail
    instruction.onTrue = isSwapped ? onFalse : onTrue
    instruction.onFalse = isSwapped ? onTrue : onFalse
    program.instructions.append(instruction)
  }

  /// CONTAINS asks a list for a member, by its number, and a text for a piece: two tests. False
  /// where the comparison is another one.
  private mutating func emitMembership(
    _ comparison: Comparison, onTrue: UInt16, onFalse: UInt16, _ table: inout FieldTable,
    numbering: ValueNumbering
  ) throws(RecordsError) -> Bool {
    guard comparison.relation == .contains, comparison.quantifier == .whole,
      case .value(let value) = comparison.operand
    else { return false }
    let folded = value.folded(comparison.options)
    let field = try table.slot(of: comparison.path, [])
    let elements = try numbering.elementSlot(&table, field, [], comparison.options)
    guard let numbers = numbers(of: [folded], slot: elements, numbering) else { return false }
    var member = listing(.holdsSymbol, numbers, slot: elements)
    member.onTrue = onTrue
    member.onFalse = onFalse
    if case .string(let text) = folded {
      let slot = try table.slot(of: comparison.path, comparison.options)
      let (offset, count) = program.add(text.utf8)
      member.onFalse = UInt16(labels.count)
      labels.append(UInt16(program.instructions.count + 1))
      program.instructions.append(member)
      member = Instruction(
        operation: .text, detail: comparison.relation.rawValue, slot: slot, onTrue: onTrue,
        onFalse: onFalse, constant: offset, count: count)
    }
    program.instructions.append(member)
    return true
  }

  private mutating func instruction(
    for term: Predicate, _ table: inout FieldTable, numbering: ValueNumbering?
  ) throws(RecordsError) -> Instruction {
    switch term {
    case .words(let text):
      table.usesWords = true
      if let numbering {
        let numbers = Set(
          WordSplitter.words(of: text).map { $0.withUnsafeBufferPointer(numbering.word) })
        return listing(.holdsSymbol, numbers.sorted(), slot: 0)
      }
      let (offset, count) = program.add(text.foldedWords)
      return Instruction(operation: .words, constant: offset, count: count)
    case .distance(let distance):
      let slot = try table.slot(of: distance.path, [])
      let circle = GreatCircle(center: distance.point, metres: distance.metres)
      let (offset, count) = program.add(circle.encoded)
      return Instruction(
        operation: .distance, detail: distance.relation.rawValue, slot: slot, constant: offset,
        count: count)
    case .constant(let isTrue):
      return Instruction(operation: .constant, detail: isTrue ? 1 : 0)
    case .comparison, .not, .and, .or:
      preconditionFailure("Comparisons become instructions elsewhere; trees become none.")
    }
  }

  private mutating func instruction(
    for comparison: Comparison, _ table: inout FieldTable, now: Timestamp?,
    numbering: ValueNumbering?
  ) throws(RecordsError) -> Instruction {
    guard comparison.quantifier == .whole else {
      return try elements(comparison, &table, numbering)
    }
    let slot = try table.slot(of: comparison.path, comparison.options)
    switch comparison.operand {
    case .nothing:
      let isAbsence: UInt8 = comparison.relation == .equal ? 1 : 0
      return Instruction(operation: .present, detail: isAbsence, slot: slot)
    case .now:
      guard let now else {
        throw .invalid("now() has no meaning here: only a query is run at a moment.")
      }
      return interval(comparison.relation, [.date(now)], slot: slot)
    case .value(let value):
      return try whole(comparison, value, slot: slot, numbering: numbering)
    case .values(let values):
      return try list(comparison, values, slot: slot, numbering: numbering)
    }
  }

  private mutating func whole(
    _ comparison: Comparison, _ value: Value, slot: UInt16, numbering: ValueNumbering?
  ) throws(RecordsError) -> Instruction {
    let folded = value.folded(comparison.options)
    switch comparison.relation {
    case .equal, .notEqual:
      if let number = number(of: folded, slot: slot, numbering) {
        let operation: Instruction.Operation =
          comparison.relation == .equal ? .symbolEqual : .symbolNotEqual
        return Instruction(
          operation: operation, detail: value.comparisonClass.rawValue, slot: slot,
          constant: number)
      }
      if value.comparisonClass == .number || value.comparisonClass == .date {
        return interval(comparison.relation, [value], slot: slot)
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if value.comparisonClass != .text {
        return interval(comparison.relation, [value], slot: slot)
      }
    case .between, .in, .contains, .beginsWith, .endsWith, .like: break
    }
    if case .string(let text) = folded, comparison.relation != .contains {
      let (offset, count) = program.add(text.utf8)
      return Instruction(
        operation: .text, detail: comparison.relation.rawValue, slot: slot, constant: offset,
        count: count)
    }
    return encoded(.value, comparison, folded, slot: slot)
  }

  private mutating func list(
    _ comparison: Comparison, _ values: [Value], slot: UInt16, numbering: ValueNumbering?
  ) throws(RecordsError) -> Instruction {
    let folded = values.map { $0.folded(comparison.options) }
    let bound = values.first?.comparisonClass
    if comparison.relation == .between, bound == .number || bound == .date {
      return interval(.between, values, slot: slot)
    }
    if comparison.relation == .in,
      let numbers = numbers(of: folded, slot: slot, numbering)
    {
      return listing(.symbolIn, numbers, slot: slot)
    }
    return encoded(.value, comparison, .list(folded), slot: slot)
  }

  private func number(of value: Value, slot: UInt16, _ numbering: ValueNumbering?) -> UInt32? {
    guard let numbering, value.isScalar else { return nil }
    return value.withView { numbering.number(slot, $0) }
  }

  /// The numbers of all of some values, sorted; `nil` where one has none.
  private func numbers(
    of values: [Value], slot: UInt16, _ numbering: ValueNumbering?
  ) -> [UInt32]? {
    guard numbering != nil else { return nil }
    var numbers: [UInt32] = []
    for value in values {
      guard let number = number(of: value, slot: slot, numbering) else { return nil }
      numbers.append(number)
    }
    return Set(numbers).sorted()
  }

  private mutating func listing(
    _ operation: Instruction.Operation, _ numbers: [UInt32], slot: UInt16
  ) -> Instruction {
    let (offset, count) = program.add(numbers.flatMap(littleEndianBytes))
    return Instruction(operation: operation, slot: slot, constant: offset, count: count)
  }

  private mutating func elements(
    _ comparison: Comparison, _ table: inout FieldTable, _ numbering: ValueNumbering?
  ) throws(RecordsError) -> Instruction {
    let operation: Instruction.Operation = comparison.quantifier == .any ? .any : .all
    var part: [UInt8] = [0]
    var path = comparison.path
    if case .entry(let field, let name) = path {
      path = .field(field)
      part = [UInt8(name.text.utf8.count)] + Array(name.text.utf8)
    }
    let slot = try table.slot(of: path, [])
    if comparison.quantifier == .any, let values = comparison.equals, let numbering {
      let elements = try numbering.elementSlot(
        &table, slot, Array(part.dropFirst()), comparison.options)
      let folded = values.map { $0.folded(comparison.options) }
      if let numbers = numbers(of: folded, slot: elements, numbering) {
        return listing(.holdsSymbol, numbers, slot: elements)
      }
    }
    var writer = ByteWriter()
    writer.raw(part)
    switch comparison.operand {
    case .nothing: break
    case .now: throw .invalid("now() is compared with a field, not with elements.")
    case .value(let value): writer.write(value.folded(comparison.options))
    case .values(let values):
      writer.write(.list(values.map { $0.folded(comparison.options) }))
    }
    let (offset, count) = program.add(writer.bytes)
    return Instruction(
      operation: operation, detail: comparison.relation.rawValue | comparison.options.rawValue << 4,
      slot: slot, constant: offset, count: count)
  }

  private mutating func encoded(
    _ operation: Instruction.Operation, _ comparison: Comparison, _ value: Value, slot: UInt16
  ) -> Instruction {
    var writer = ByteWriter()
    writer.write(value)
    let (offset, count) = program.add(writer.bytes)
    return Instruction(
      operation: operation, detail: comparison.relation.rawValue | comparison.options.rawValue << 4,
      slot: slot, constant: offset, count: count)
  }

  private mutating func interval(
    _ relation: Relation, _ values: [Value], slot: UInt16
  ) -> Instruction {
    let interval = Interval(relation, values)
    let (offset, count) = program.add(interval.low, interval.high)
    return Instruction(
      operation: .interval, detail: interval.flags.rawValue, slot: slot, constant: offset,
      count: count)
  }
}

extension Comparison {
  /// The values of which one has to be equal, for relations that ask that.
  fileprivate var equals: [Value]? {
    switch (relation, operand) {
    case (.equal, .value(let value)): [value]
    case (.in, .values(let values)): values
    default: nil
    }
  }
}

extension Interval {
  /// The values that stand in `relation` to a number or a date, or between two.
  init(_ relation: Relation, _ values: [Value]) {
    switch relation {
    case .less, .lessOrEqual: setHigh(values[0], isExcluded: relation == .less)
    case .greater, .greaterOrEqual: setLow(values[0], isExcluded: relation == .greater)
    default:
      setLow(values[0], isExcluded: false)
      setHigh(values[values.count - 1], isExcluded: false)
      if relation == .notEqual { flags.insert(.isOutside) }
    }
  }

  private mutating func setLow(_ value: Value, isExcluded: Bool) {
    flags.formUnion(isExcluded ? [.hasLow, .excludesLow] : .hasLow)
    low = bits(of: value, real: .isLowReal)
  }

  private mutating func setHigh(_ value: Value, isExcluded: Bool) {
    flags.formUnion(isExcluded ? [.hasHigh, .excludesHigh] : .hasHigh)
    high = bits(of: value, real: .isHighReal)
  }

  private mutating func bits(of value: Value, real: Flags) -> UInt64 {
    switch value {
    case .int64(let number): return UInt64(bitPattern: number)
    case .boolean(let flag): return flag ? 1 : 0
    case .double(let number):
      flags.insert(real)
      return number.bitPattern
    case .date(let time):
      flags.insert(.isDate)
      return UInt64(bitPattern: time.microseconds)
    default: preconditionFailure("Only numbers and dates have intervals.")
    }
  }
}

extension Value {
  /// The value with its texts in the form in which they are compared under `options`.
  package func folded(_ options: TextOptions) -> Value {
    guard !options.isEmpty else { return self }
    switch self {
    case .string(let text):
      return .string(String(decoding: TextFold.folded(text, options), as: UTF8.self))
    case .list(let values): return .list(values.map { $0.folded(options) })
    case .int64, .double, .boolean, .date, .bytes, .location, .reference, .asset, .entries,
      .unknown:
      return self
    }
  }
}

extension Value {
  /// Calls `body` with the value as a record would show it.
  package func withView<Result>(_ body: (ValueView) -> Result) -> Result {
    switch self {
    case .string(var text):
      return text.withUTF8 { body(ValueView(.text, start: $0.baseAddress, count: $0.count)) }
    case .int64(let number):
      return body(ValueView(.whole, bits: UInt64(bitPattern: number)))
    case .double, .boolean, .date, .bytes, .location, .reference, .asset, .list, .entries,
      .unknown:
      var writer = ByteWriter()
      writer.write(self)
      return writer.bytes.withUnsafeBufferPointer { body(ValueView(encoded: RawReader($0))) }
    }
  }
}

extension String {
  /// The different words of the text, each behind its length in two bytes.
  fileprivate var foldedWords: [UInt8] {
    let words = Set(WordSplitter.words(of: self)).sorted { $0.lexicographicallyPrecedes($1) }
    return words.flatMap { [UInt8($0.count & 0xFF), UInt8($0.count >> 8)] + $0 }
  }
}

/// The bytes of a number, lowest first, as constants keep it.
private func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
