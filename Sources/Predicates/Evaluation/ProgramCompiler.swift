// Compiles a predicate's tree to a program. AND and OR become the targets of tests. NOT swaps the targets,
// so it costs nothing and never changes an operator. An index can assign symbols to values, so that
// equality tests compare symbols.

import Records

/// A compiler of predicates, which reuses the memory of its program.
package struct ProgramCompiler {
  /// The last compiled program.
  package private(set) var program = Program()
  /// The instruction index of each label.
  private var labels: [UInt16] = []

  /// Creates a compiler with an empty program.
  package init() {}

  /// Compiles a normalised predicate into `program`, and adds the fields that it reads to `table`. Equal
  /// predicates with equal slots and symbols give equal programs.
  /// - Throws: `invalidArguments` if the predicate uses `now()` and `now` is `nil`; `limitExceeded` or
  ///   `quotaExceeded` if no slots are left for its fields.
  package mutating func compile(
    _ predicate: Predicate, _ table: inout FieldTable, now: Timestamp?,
    source: SymbolSource? = nil
  ) throws(RecordsError) {
    program.removeAll()
    labels.removeAll(keepingCapacity: true)
    try emit(
      predicate, onTrue: Instruction.accept, onFalse: Instruction.reject,
      &table, now: now, source: source)
    // Padded to units of 16 bytes, the size of an instruction, so that an index can store both in one run.
    while program.constants.count % 16 != 0 { program.constants.append(0) }
    for index in program.instructions.indices {
      program.instructions[index].onTrue = resolved(program.instructions[index].onTrue)
      program.instructions[index].onFalse = resolved(program.instructions[index].onFalse)
    }
  }

  // During compilation a target is a label, because the index of its instruction is not known yet.
  private func resolved(_ label: UInt16) -> UInt16 {
    label >= Instruction.reject ? label : labels[Int(label)]
  }

  private mutating func emit(
    _ predicate: Predicate, onTrue: UInt16, onFalse: UInt16, _ table: inout FieldTable,
    now: Timestamp?, source: SymbolSource?
  ) throws(RecordsError) {
    switch predicate {
    case .not(let operand):
      try emit(operand, onTrue: onFalse, onFalse: onTrue, &table, now: now, source: source)
    case .and(let operands), .or(let operands):
      let isAnd = if case .and = predicate { true } else { false }
      for operand in operands.dropLast() {
        let next = UInt16(labels.count)
        labels.append(0)
        try emit(
          operand, onTrue: isAnd ? next : onTrue, onFalse: isAnd ? onFalse : next, &table,
          now: now, source: source)
        labels[Int(next)] = UInt16(program.instructions.count)
      }
      if let last = operands.last {
        try emit(last, onTrue: onTrue, onFalse: onFalse, &table, now: now, source: source)
      }
    case .comparison(let comparison):
      if let source,
        try emitMembership(
          comparison, onTrue: onTrue, onFalse: onFalse, &table, source: source)
      {
        return
      }
      append(
        try instruction(for: comparison, &table, now: now, source: source),
        onTrue: onTrue, onFalse: onFalse)
    case .constant, .words, .distance:
      append(
        try instruction(for: predicate, &table, source: source),
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

  /// Emits CONTAINS as two tests: a list is tested for the symbol of a member, a text for a substring.
  /// Returns false, and emits nothing, for other comparisons and for values without symbols.
  private mutating func emitMembership(
    _ comparison: Comparison, onTrue: UInt16, onFalse: UInt16, _ table: inout FieldTable,
    source: SymbolSource
  ) throws(RecordsError) -> Bool {
    guard comparison.relation == .contains, comparison.quantifier == .whole,
      case .value(let value) = comparison.operand
    else { return false }
    let folded = value.folded(comparison.options)
    let field = try table.slot(of: comparison.path, [])
    let elements = try source.elementSlot(&table, field, [], comparison.options)
    guard let symbols = symbols(of: [folded], slot: elements, source) else { return false }
    var member = listing(.holdsSymbol, symbols, slot: elements)
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
    for term: Predicate, _ table: inout FieldTable, source: SymbolSource?
  ) throws(RecordsError) -> Instruction {
    switch term {
    case .words(let text):
      table.usesWords = true
      if let source {
        let symbols = Set(
          WordSplitter.words(of: text).map { $0.withUnsafeBufferPointer(source.word) })
        return listing(.holdsSymbol, symbols.sorted(), slot: 0)
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
    source: SymbolSource?
  ) throws(RecordsError) -> Instruction {
    guard comparison.quantifier == .whole else {
      return try elements(comparison, &table, source)
    }
    let slot = try table.slot(of: comparison.path, comparison.options)
    switch comparison.operand {
    case .nothing:
      let isAbsence: UInt8 = comparison.relation == .equal ? 1 : 0
      return Instruction(operation: .present, detail: isAbsence, slot: slot)
    case .now:
      guard let now else {
        throw .invalid("now() can only be used in queries.")
      }
      return interval(comparison.relation, [.date(now)], slot: slot)
    case .value(let value):
      return try whole(comparison, value, slot: slot, source: source)
    case .values(let values):
      return try list(comparison, values, slot: slot, source: source)
    }
  }

  private mutating func whole(
    _ comparison: Comparison, _ value: Value, slot: UInt16, source: SymbolSource?
  ) throws(RecordsError) -> Instruction {
    let folded = value.folded(comparison.options)
    switch comparison.relation {
    case .equal, .notEqual:
      if let symbol = symbol(of: folded, slot: slot, source) {
        let operation: Instruction.Operation =
          comparison.relation == .equal ? .symbolEqual : .symbolNotEqual
        return Instruction(
          operation: operation, detail: value.comparisonClass.rawValue, slot: slot,
          constant: symbol)
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
    _ comparison: Comparison, _ values: [Value], slot: UInt16, source: SymbolSource?
  ) throws(RecordsError) -> Instruction {
    let folded = values.map { $0.folded(comparison.options) }
    let bound = values.first?.comparisonClass
    if comparison.relation == .between, bound == .number || bound == .date {
      return interval(.between, values, slot: slot)
    }
    if comparison.relation == .in,
      let symbols = symbols(of: folded, slot: slot, source)
    {
      return listing(.symbolIn, symbols, slot: slot)
    }
    return encoded(.value, comparison, .list(folded), slot: slot)
  }

  private func symbol(of value: Value, slot: UInt16, _ source: SymbolSource?) -> UInt32? {
    guard let source, value.isScalar else { return nil }
    return value.withView { source.symbol(slot, $0) }
  }

  /// Returns the symbols of values, sorted; `nil` if one has none.
  private func symbols(
    of values: [Value], slot: UInt16, _ source: SymbolSource?
  ) -> [UInt32]? {
    guard source != nil else { return nil }
    var symbols: [UInt32] = []
    for value in values {
      guard let symbol = symbol(of: value, slot: slot, source) else { return nil }
      symbols.append(symbol)
    }
    return Set(symbols).sorted()
  }

  private mutating func listing(
    _ operation: Instruction.Operation, _ symbols: [UInt32], slot: UInt16
  ) -> Instruction {
    let (offset, count) = program.add(symbols.flatMap(littleEndianBytes))
    return Instruction(operation: operation, slot: slot, constant: offset, count: count)
  }

  private mutating func elements(
    _ comparison: Comparison, _ table: inout FieldTable, _ source: SymbolSource?
  ) throws(RecordsError) -> Instruction {
    let operation: Instruction.Operation = comparison.quantifier == .any ? .any : .all
    var part: [UInt8] = [0]
    var path = comparison.path
    if case .entry(let field, let name) = path {
      path = .field(field)
      part = [UInt8(name.text.utf8.count)] + Array(name.text.utf8)
    }
    let slot = try table.slot(of: path, [])
    if comparison.quantifier == .any, let values = comparison.equals, let source {
      let elements = try source.elementSlot(
        &table, slot, Array(part.dropFirst()), comparison.options)
      let folded = values.map { $0.folded(comparison.options) }
      if let symbols = symbols(of: folded, slot: elements, source) {
        return listing(.holdsSymbol, symbols, slot: elements)
      }
    }
    var writer = ByteWriter()
    writer.raw(part)
    switch comparison.operand {
    case .nothing: break
    case .now:
      throw .invalid("now() cannot be compared with elements of a list or with fields of entries.")
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
  /// The values of an equality test, `==` or IN; `nil` for other relations.
  fileprivate var equals: [Value]? {
    switch (relation, operand) {
    case (.equal, .value(let value)): [value]
    case (.in, .values(let values)): values
    default: nil
    }
  }
}

extension String {
  /// The different words of the text, sorted, each after its length in two bytes.
  fileprivate var foldedWords: [UInt8] {
    let words = Set(WordSplitter.words(of: self)).sorted { $0.lexicographicallyPrecedes($1) }
    return words.flatMap { [UInt8($0.count & 0xFF), UInt8($0.count >> 8)] + $0 }
  }
}

/// Returns the bytes of a number in little-endian order.
private func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
