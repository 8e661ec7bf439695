// Runs programs on the record in a view. This is the inner loop of queries and subscriptions, so it does
// not allocate, count references or decode texts, except to fold texts in lists. The steps of a run are
// limited; beyond the limit its outcome is `failed`, so that one record cannot delay other requests.

import Records

/// The outcome of evaluating a predicate.
package enum RunOutcome: UInt8, Sendable {
  /// The predicate does not match.
  case no
  /// The predicate matches.
  case yes
  /// The result is unknown: the run exceeded its steps, or a text was not folded.
  case failed
}

extension EvaluatedRecord {
  /// Runs a program that was compiled with the table that the view was loaded with.
  /// - Parameter stepsMaximum: the limit of steps (bytes read).
  package mutating func run(
    _ program: borrowing Program, stepsMaximum: Int = PredicateLimits.stepsPerRun
  ) -> RunOutcome {
    program.instructions.withUnsafeBufferPointer { instructions in
      program.constants.withUnsafeBufferPointer { constants in
        // NB: a program is never empty. If it has no constants, no test reads them.
        guard let code = instructions.baseAddress else { return .failed }
        let base = UnsafeRawPointer(constants.baseAddress ?? UnsafePointer(filledBase))
        return run(code, constants: base, stepsMaximum: stepsMaximum)
      }
    }
  }

  /// Runs the program at `code`, which was compiled with the table that the view was loaded with.
  /// - Parameter stepsMaximum: the limit of steps (bytes read).
  package mutating func run(
    _ code: UnsafePointer<Instruction>, constants: UnsafeRawPointer,
    stepsMaximum: Int = PredicateLimits.stepsPerRun
  ) -> RunOutcome {
    stepsLeft = stepsMaximum
    var index = 0
    while true {
      let instruction = code[index]
      if unfolded.any, isUnknown(instruction) { return .failed }
      let next = isTrue(instruction, constants) ? instruction.onTrue : instruction.onFalse
      if next >= Instruction.reject {
        if stepsLeft < 0 { return .failed }
        return next == Instruction.accept ? .yes : .no
      }
      index = Int(next)
    }
  }

  private var filledBase: UnsafePointer<UInt8> {
    UnsafePointer(UnsafeRawPointer(slots).assumingMemoryBound(to: UInt8.self))
  }

  @inline(__always)
  private mutating func isTrue(_ test: Instruction, _ constants: UnsafeRawPointer) -> Bool {
    let value = slots[Int(test.slot)]
    switch test.operation {
    case .symbolEqual: return value.symbol == test.constant
    case .interval: return isWithin(value, test, constants)
    case .symbolNotEqual:
      return value.symbol != test.constant && value.kind.comparisonClass.rawValue == test.detail
    case .symbolIn: return isListed(value.symbol, test, constants)
    case .holdsSymbol: return holdsSymbol(test, constants)
    case .present: return value.kind != .missing
    case .constant: return test.detail != 0
    case .text:
      guard value.kind == .text else { return false }
      let constant = ValueView(.text, start: constants.bytes(test), count: Int(test.count))
      return compare(value, Relation(test), constant, [])
    case .value:
      return compare(value, Relation(test), constants.value(test), TextOptions(test))
    case .any, .all: return elements(of: value, test, constants)
    case .words: return hasWord(test, constants)
    case .distance:
      guard value.kind == .location else { return false }
      let circle = GreatCircle(encoded: constants + Int(test.constant))
      return circle.contains(value.place, Relation(test))
    }
  }

  @inline(__always)
  private func isListed(
    _ symbol: UInt32, _ test: Instruction, _ constants: UnsafeRawPointer
  ) -> Bool {
    guard symbol != 0 else { return false }
    var low = 0
    var high = Int(test.count) / 4
    while low < high {
      let middle = (low + high) / 2
      let listed = (constants + Int(test.constant))
        .loadUnaligned(fromByteOffset: 4 * middle, as: UInt32.self)
      if listed == symbol { return true }
      if listed < symbol { low = middle + 1 } else { high = middle }
    }
    return false
  }

  private func holdsSymbol(_ test: Instruction, _ constants: UnsafeRawPointer) -> Bool {
    guard !elementSymbols.isEmpty else { return false }
    for index in 0..<Int(test.count) / 4 {
      let symbol = (constants + Int(test.constant))
        .loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      let place = firstElement(ofSlot: test.slot, from: symbol)
      if place < elementSymbols.count,
        elementSymbols[place] == UInt64(test.slot) << 32 | UInt64(symbol)
      {
        return true
      }
    }
    return false
  }

  @inline(__always)
  private func isWithin(
    _ value: ValueView, _ test: Instruction, _ constants: UnsafeRawPointer
  ) -> Bool {
    let flags = Interval.Flags(rawValue: test.detail)
    let isDate = flags.contains(.isDate)
    guard isDate ? value.kind == .date : value.kind == .whole || value.kind == .real else {
      return false
    }
    let bounds = constants + Int(test.constant)
    var isInside = true
    if flags.contains(.hasLow) {
      let low = bounds.loadUnaligned(as: UInt64.self)
      let order = order(of: value, to: low, isReal: flags.contains(.isLowReal))
      isInside = order == .after || order == .same && !flags.contains(.excludesLow)
    }
    if isInside, flags.contains(.hasHigh) {
      let high = bounds.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let order = order(of: value, to: high, isReal: flags.contains(.isHighReal))
      isInside = order == .before || order == .same && !flags.contains(.excludesHigh)
    }
    return isInside != flags.contains(.isOutside)
  }

  @inline(__always)
  private func order(of value: ValueView, to bound: UInt64, isReal: Bool) -> ValueOrder {
    if value.kind != .real, !isReal {
      return ValueOrder(value.signed, Int64(bitPattern: bound))
    }
    let other = ValueView(isReal ? .real : .whole, bits: bound)
    // NB: numbers always have an order, so the fallback is never used.
    return value.order(to: other) ?? .before
  }

  private mutating func compare(
    _ value: ValueView, _ relation: Relation, _ constant: ValueView, _ options: TextOptions
  ) -> Bool {
    switch relation {
    case .equal: return isEqual(value, constant, options)
    case .notEqual:
      return value.kind.comparisonClass == constant.kind.comparisonClass
        && value.kind.comparisonClass != .none && !isEqual(value, constant, options)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return value.order(to: constant)?.satisfies(relation) ?? false
    case .between:
      var bounds = constant.elements
      guard let low = bounds.next(), let high = bounds.next(),
        let fromLow = value.order(to: ValueView(encoded: low.content)),
        let fromHigh = value.order(to: ValueView(encoded: high.content))
      else { return false }
      return fromLow != .before && fromHigh != .after
    case .in:
      var listed = constant.elements
      while let element = listed.next() {
        stepsLeft -= 1
        if value.isEqual(to: ValueView(encoded: element.content)) { return true }
      }
      return false
    case .contains:
      if value.kind == .list { return hasElement(value, equalTo: constant, options) }
      return value.kind == .text && constant.kind == .text
        && value.contains(constant, steps: &stepsLeft)
    case .beginsWith: return value.kind == .text && value.begins(with: constant)
    case .endsWith: return value.kind == .text && value.ends(with: constant)
    case .like:
      return value.kind == .text
        && LikePattern.matches(value.buffer, constant.buffer, steps: &stepsLeft)
    }
  }

  /// Returns whether two values are equal under `options`, which affect only the texts in lists. A text
  /// that is the field's value is already folded in its slot.
  private mutating func isEqual(
    _ value: ValueView, _ constant: ValueView, _ options: TextOptions
  ) -> Bool {
    guard value.kind == .list, constant.kind == .list, !options.isEmpty else {
      return value.isEqual(to: constant)
    }
    var (left, right) = (value.elements, constant.elements)
    while let element = left.next() {
      guard let other = right.next() else { return false }
      stepsLeft -= 1
      let mark = arena.mark
      let form = foldedElement(ValueView(encoded: element.content), options)
      let isEqual = form.isEqual(to: ValueView(encoded: other.content))
      arena.release(to: mark)
      if !isEqual { return false }
    }
    return right.isAtEnd
  }

  private mutating func hasElement(
    _ list: ValueView, equalTo constant: ValueView, _ options: TextOptions
  ) -> Bool {
    var elements = list.elements
    while let element = elements.next() {
      stepsLeft -= 1
      let mark = arena.mark
      let isEqual = foldedElement(ValueView(encoded: element.content), options)
        .isEqual(to: constant)
      arena.release(to: mark)
      if isEqual { return true }
    }
    return false
  }

  private mutating func elements(
    of value: ValueView, _ test: Instruction, _ constants: UnsafeRawPointer
  ) -> Bool {
    let isAny = test.operation == .any
    let partCount = Int(constants.bytes(test).pointee)
    let part = UnsafeBufferPointer(start: constants.bytes(test) + 1, count: partCount)
    let encoded = UnsafeBufferPointer(
      start: part.baseAddress.map { $0 + partCount }, count: Int(test.count) - 1 - partCount)
    let constant = encoded.isEmpty ? ValueView() : ValueView(encoded: RawReader(encoded))
    guard value.kind == (partCount == 0 ? .list : .entries) else { return false }
    var elements = value.elements
    while let element = elements.next() {
      stepsLeft -= 1 + (partCount == 0 ? 0 : element.count / 16)
      let found =
        partCount == 0
        ? ValueView(encoded: element.content) : element.content.value(named: part)
      if fits(found, Relation(test), constant, TextOptions(test)) == isAny { return isAny }
    }
    return !isAny
  }

  /// Calls `body` with each element of a list, or with the part `part` of each entry that has it. Texts
  /// are folded under `options`. The argument of `body` is valid during the call.
  package mutating func forEachElement(
    ofSlot slot: UInt16, part: UnsafeBufferPointer<UInt8>, _ options: TextOptions,
    _ body: (ValueView) -> Void
  ) {
    let value = slots[Int(slot)]
    guard value.kind == (part.isEmpty ? .list : .entries) else { return }
    var elements = value.elements
    while let element = elements.next() {
      let found =
        part.isEmpty ? ValueView(encoded: element.content) : element.content.value(named: part)
      guard found.kind != .missing else { continue }
      let mark = arena.mark
      body(foldedElement(found, options))
      arena.release(to: mark)
    }
  }

  private mutating func fits(
    _ element: ValueView, _ relation: Relation, _ constant: ValueView, _ options: TextOptions
  ) -> Bool {
    if constant.kind == .missing { return (element.kind == .missing) == (relation == .equal) }
    let mark = arena.mark
    defer { arena.release(to: mark) }
    return compare(foldedElement(element, options), relation, constant, options)
  }

  private mutating func hasWord(_ test: Instruction, _ constants: UnsafeRawPointer) -> Bool {
    let words = UnsafeBufferPointer(start: constants.bytes(test), count: Int(test.count))
    var wordsLeft = PredicateLimits.wordsPerRecord
    for text in texts {
      var isFound = false
      WordSplitter.forEachWord(in: text.buffer) { word in
        wordsLeft -= 1
        stepsLeft -= words.count
        isFound = words.lists(word)
        return !isFound && wordsLeft > 0
      }
      if isFound { return true }
      if wordsLeft <= 0 { return false }
    }
    return false
  }
}

extension Relation {
  fileprivate init(_ test: Instruction) {
    self = Relation(rawValue: test.detail & 15) ?? .equal
  }
}

extension TextOptions {
  fileprivate init(_ test: Instruction) {
    self.init(rawValue: test.detail >> 4)
  }
}

extension UnsafeRawPointer {
  fileprivate func bytes(_ test: Instruction) -> UnsafePointer<UInt8> {
    (self + Int(test.constant)).assumingMemoryBound(to: UInt8.self)
  }

  fileprivate func value(_ test: Instruction) -> ValueView {
    ValueView(
      encoded: RawReader(UnsafeBufferPointer(start: bytes(test), count: Int(test.count))))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether the bytes, words that each follow their length in two bytes, contain `word`.
  fileprivate func lists(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index + 2 <= count {
      let length = Int(self[index]) | Int(self[index + 1]) << 8
      index += 2
      if length == word.count, index + length <= count, let start = baseAddress,
        let other = word.baseAddress, equal(start + index, other, count: length)
      {
        return true
      }
      index += length
    }
    return false
  }
}

extension RawReader {
  /// Returns the value of the field `name` of an entry; `missing` if there is none.
  fileprivate func value(named name: UnsafeBufferPointer<UInt8>) -> ValueView {
    var entry = self
    while let field = entry.next() {
      guard field.number == 3, field.type == .lengthDelimited else { continue }
      var parts = field.content
      var isNamed = false
      var value = ValueView()
      while let part = parts.next() {
        guard part.type == .lengthDelimited else { continue }
        if part.number == 1, part.count == name.count, let start = name.baseAddress {
          isNamed = equal(part.start, start, count: part.count)
        }
        if part.number == 2 { value = ValueView(encoded: part.content) }
      }
      if isNamed { return value }
    }
    return ValueView()
  }
}
