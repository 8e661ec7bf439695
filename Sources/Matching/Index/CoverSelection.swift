// Selects the cover of a predicate: keys of which every record that the predicate matches has at least
// one. The cover of an AND is that of its cheapest operand, and of an OR the union of all operands'. A
// NOT has no cover, so every record evaluates it. Expressions are never multiplied out, so a predicate
// has at most as many keys as it has constants. Costs are estimates: a wrong one costs time and does not
// change the result.

import Predicates
import Records

extension Partition {
  /// Returns the cheapest cover of a block's predicate, with a signature; `nil` if every record must
  /// evaluate the predicate.
  ///
  /// Nearly all predicates are a conjunction of comparisons, which is compiled to one instruction each.
  /// Their equalities have symbols already, so the instructions give their cost.
  func cover(of block: UInt32, _ predicate: Predicate) throws(RecordsError) -> Cover? {
    let operands: [Predicate]
    if case .and(let all) = predicate { operands = all } else { operands = [predicate] }
    let code = UnsafeBufferPointer(
      start: blocks.code(block), count: Int(blocks.header(block).pointee.instructionCount))
    guard code.count == operands.count else { return try cover(of: predicate, wantsKeys: true) }
    var best: (index: Int, cost: Double)?
    for (index, operand) in operands.enumerated() {
      guard let cost = try cost(of: operand, code[index]) else { continue }
      if cost < best?.cost ?? .infinity { best = (index, cost) }
    }
    // An interval joins two tests, so with fewer there is nothing to join.
    let bounds = code.reduce(0) { $0 + ($1.operation == .interval ? 1 : 0) }
    let interval = bounds > 1 ? try cheapestInterval(in: operands) : nil
    // Each bound of an interval has a cover of its own, so without any cover there is no interval.
    guard let best else { return nil }
    var cover: Cover?
    if let interval, let found = try self.cover(of: interval, wantsKeys: true),
      found.cost < best.cost
    {
      cover = found
    } else if isEquality(operands[best.index], code[best.index]) {
      cover = Cover(keys: [.symbol(code[best.index].constant)], cost: best.cost)
    } else {
      cover = try self.cover(of: operands[best.index], wantsKeys: true)
    }
    cover?.signature = signature(of: operands, code, apartFrom: best.index)
    return cover
  }

  /// Returns the cost of one operand of an AND; `nil` if it has no cover.
  private func cost(
    of operand: Predicate, _ instruction: Instruction
  ) throws(RecordsError) -> Double? {
    if isEquality(operand, instruction) { return cost(ofSymbol: instruction.constant) }
    return try cover(of: operand, wantsKeys: false)?.cost
  }

  private func isEquality(_ operand: Predicate, _ instruction: Instruction) -> Bool {
    guard instruction.operation == .symbolEqual, case .comparison = operand else { return false }
    return true
  }

  /// Returns the signature of the cheapest equality other than the operand at `key`; 0 if there is
  /// none.
  private func signature(
    of operands: [Predicate], _ code: UnsafeBufferPointer<Instruction>, apartFrom key: Int
  ) -> UInt32 {
    var best: (signature: UInt32, cost: Double)?
    for (index, operand) in operands.enumerated()
    where index != key && isEquality(operand, code[index]) && code[index].slot < 256 {
      let cost = cost(ofSymbol: code[index].constant)
      if cost < best?.cost ?? .infinity {
        best = (code[index].constant << 8 | UInt32(code[index].slot), cost)
      }
    }
    return best?.signature ?? 0
  }

  /// Returns the cheapest cover of a predicate; `nil` if every record must evaluate it. Without
  /// `wantsKeys`, the cover has only its cost.
  func cover(of predicate: Predicate, wantsKeys: Bool) throws(RecordsError) -> Cover? {
    switch predicate {
    case .constant(let isTrue): return isTrue ? nil : Cover(keys: [], cost: 0)
    case .not: return nil
    case .comparison(let comparison):
      return try cover(of: comparison, wantsKeys: wantsKeys)
    case .words(let text): return cover(ofWords: text, wantsKeys: wantsKeys)
    case .distance(let distance): return try cover(of: distance)
    case .and(let operands): return try cheapest(of: operands, wantsKeys: wantsKeys)
    case .or(let operands):
      var union = Cover(keys: [], cost: 0)
      for operand in operands {
        guard let cover = try cover(of: operand, wantsKeys: wantsKeys) else { return nil }
        union.keys += cover.keys
        union.cost += cover.cost
      }
      return union.cost < 1 ? union : nil
    }
  }

  private func cheapest(
    of operands: [Predicate], wantsKeys: Bool
  ) throws(RecordsError) -> Cover? {
    var best: (predicate: Predicate, cost: Double)?
    for operand in operands {
      guard let cover = try cover(of: operand, wantsKeys: false) else { continue }
      if cover.cost < best?.cost ?? .infinity { best = (operand, cover.cost) }
    }
    if let interval = try cheapestInterval(in: operands),
      let cover = try cover(of: interval, wantsKeys: false), cover.cost < best?.cost ?? .infinity
    {
      best = (.comparison(interval), cover.cost)
    }
    guard let best else { return nil }
    return wantsKeys
      ? try cover(of: best.predicate, wantsKeys: true) : Cover(keys: [], cost: best.cost)
  }

  private func cheapestInterval(in operands: [Predicate]) throws(RecordsError) -> Comparison? {
    guard operands.count > 1 else { return nil }
    var best: (comparison: Comparison, cost: Double)?
    for interval in Self.intervals(in: operands) {
      guard let cover = try cover(of: interval, wantsKeys: false) else { continue }
      if cover.cost < best?.cost ?? .infinity { best = (interval, cover.cost) }
    }
    return best?.comparison
  }

  /// Returns the intervals formed by a lower and an upper bound on the same field.
  private static func intervals(in operands: [Predicate]) -> [Comparison] {
    var bounds: [(path: FieldPath, low: Value?, high: Value?)] = []
    for case .comparison(let comparison) in operands {
      guard comparison.quantifier == .whole, case .value(let value) = comparison.operand,
        value.comparisonClass == .number || value.comparisonClass == .date
      else { continue }
      let isLow = comparison.relation == .greater || comparison.relation == .greaterOrEqual
      let isHigh = comparison.relation == .less || comparison.relation == .lessOrEqual
      guard isLow || isHigh else { continue }
      let index = bounds.firstIndex { $0.path == comparison.path } ?? bounds.count
      if index == bounds.count { bounds.append((comparison.path, nil, nil)) }
      if isLow { bounds[index].low = value } else { bounds[index].high = value }
    }
    return bounds.compactMap { bound in
      guard let low = bound.low, let high = bound.high,
        low.comparisonClass == high.comparisonClass
      else { return nil }
      return Comparison(bound.path, .between, .values([low, high]))
    }
  }

  private func cover(
    of comparison: Comparison, wantsKeys: Bool
  ) throws(RecordsError) -> Cover? {
    if comparison.quantifier != .whole { return try elementCover(of: comparison, wantsKeys) }
    let slot = try table.slot(of: comparison.path, comparison.options)
    switch (comparison.relation, comparison.operand) {
    case (.equal, .nothing): return nil
    case (_, .nothing), (_, .now), (.notEqual, _): return presence(ofSlot: slot)
    case (.equal, .value(let value)):
      return equality(value.folded(comparison.options), slot: slot, wantsKeys)
    case (.in, .values(let values)):
      return oneOf(values.map { $0.folded(comparison.options) }, slot: slot, wantsKeys)
    case (.contains, .value(let value)):
      return try containment(value.folded(comparison.options), comparison, slot: slot, wantsKeys)
    case (.beginsWith, .value(let value)), (.endsWith, .value(let value)),
      (.like, .value(let value)):
      return affix(comparison.relation, value.folded(comparison.options), slot: slot)
    case (.less, .value(let value)), (.lessOrEqual, .value(let value)):
      return range(from: nil, to: value, slot: slot, wantsKeys: wantsKeys)
    case (.greater, .value(let value)), (.greaterOrEqual, .value(let value)):
      return range(from: value, to: nil, slot: slot, wantsKeys: wantsKeys)
    case (.between, .values(let values)):
      return range(from: values[0], to: values[1], slot: slot, wantsKeys: wantsKeys)
    default: return presence(ofSlot: slot)
    }
  }

  private func elementCover(
    of comparison: Comparison, _ wantsKeys: Bool
  ) throws(RecordsError) -> Cover {
    var part: [UInt8] = []
    var path = comparison.path
    if case .entry(let field, let name) = path {
      part = Array(name.text.utf8)
      path = .field(field)
    }
    let field = try table.slot(of: path, [])
    // ALL matches an empty list, which has no elements to find it by.
    guard comparison.quantifier == .any else { return presence(ofSlot: field) }
    // If no slot is left for the elements, every record that has the field evaluates the predicate.
    guard let slot = try? elementSlot(&table, ofField: field, part: part, comparison.options)
    else { return presence(ofSlot: field) }
    switch (comparison.relation, comparison.operand) {
    case (.equal, .value(let value)):
      return equality(value.folded(comparison.options), slot: slot, wantsKeys, field: field)
    case (.in, .values(let values)):
      return oneOf(
        values.map { $0.folded(comparison.options) }, slot: slot, wantsKeys, field: field)
    case (.contains, .value(.string(let text))):
      return fragment(of: text.folded(comparison.options), slot: slot) ?? presence(ofSlot: field)
    case (.beginsWith, .value(let value)), (.endsWith, .value(let value)),
      (.like, .value(let value)):
      return affix(
        comparison.relation, value.folded(comparison.options), slot: slot, field: field)
    default: return presence(ofSlot: field)
    }
  }

  private func presence(ofSlot slot: UInt16) -> Cover {
    Cover(keys: [.bits(kind: KeyKind.presence, slot: slot, 0)], cost: 0.9)
  }

  private func equality(
    _ value: Value, slot: UInt16, _ wantsKeys: Bool, field: UInt16? = nil
  ) -> Cover {
    let found = value.withView { view -> (key: CoverKey?, cost: Double)? in
      guard let key = SymbolKey(value: view, slot: slot) else { return nil }
      return (wantsKeys ? CoverKey(key) : nil, cost(ofSymbol: symbols.find(key), slot: slot))
    }
    guard let found else { return presence(ofSlot: field ?? slot) }
    return Cover(keys: found.key.map { [$0] } ?? [], cost: found.cost)
  }

  private func oneOf(
    _ values: [Value], slot: UInt16, _ wantsKeys: Bool, field: UInt16? = nil
  ) -> Cover {
    guard values.count <= Cover.keysMax,
      values.allSatisfy({ $0.withView { SymbolKey(value: $0, slot: slot) != nil } })
    else { return presence(ofSlot: field ?? slot) }
    var union = Cover(keys: [], cost: 0)
    for value in values {
      let cover = equality(value, slot: slot, wantsKeys)
      union.keys += cover.keys
      union.cost += cover.cost
    }
    return union
  }

  /// Returns the cover of CONTAINS, which tests a text for a substring and a list for a member.
  private func containment(
    _ value: Value, _ comparison: Comparison, slot: UInt16, _ wantsKeys: Bool
  ) throws(RecordsError) -> Cover {
    let field = try table.slot(of: comparison.path, [])
    guard let elements = try? elementSlot(&table, ofField: field, part: [], comparison.options)
    else { return presence(ofSlot: slot) }
    var cover = equality(value, slot: elements, wantsKeys, field: slot)
    guard case .string(let text) = value else { return cover }
    guard let fragment = fragment(of: Array(text.utf8), slot: slot) else {
      return presence(ofSlot: slot)
    }
    cover.keys += fragment.keys
    cover.cost += fragment.cost
    return cover
  }

  /// Returns a cover of one trigram of `text`: the one with the fewest postings. Returns `nil` for a
  /// text of less than three bytes.
  private func fragment(of text: [UInt8], slot: UInt16) -> Cover? {
    guard text.count >= 3 else { return nil }
    var best: (offset: Int, uses: UInt32)?
    for offset in 0...text.count - 3 {
      let bits = Trigram.bits(Array(text[offset..<offset + 3]))
      let symbol = symbols.find(SymbolKey(KeyKind.trigram, slot: slot, bits: bits))
      let uses = symbol == 0 ? 0 : symbols[symbol].uses
      if uses < best?.uses ?? .max { best = (offset, uses) }
    }
    return best.map {
      let bytes = Array(text[$0.offset..<$0.offset + 3])
      return Cover(
        keys: [.bytes(kind: KeyKind.trigram, slot: slot, bytes)],
        cost: 0.02 + 0.0001 * Double($0.uses))
    }
  }

  private func affix(
    _ relation: Relation, _ value: Value, slot: UInt16, field: UInt16? = nil
  ) -> Cover {
    guard case .string(let text) = value else { return presence(ofSlot: field ?? slot) }
    let bytes = Array(text.utf8)
    let affix =
      relation == .endsWith
      ? Array(bytes.suffix(KeyKind.prefixBytesMax))
      : Array(
        (relation == .like ? LikePattern.literalPrefix(of: bytes) : bytes)
          .prefix(KeyKind.prefixBytesMax))
    guard !affix.isEmpty else { return presence(ofSlot: field ?? slot) }
    let kind = relation == .endsWith ? KeyKind.suffix : KeyKind.prefix
    var cost = 0.3
    for _ in affix.dropFirst().prefix(6) { cost *= 0.3 }
    return Cover(keys: [.bytes(kind: kind, slot: slot, affix)], cost: cost)
  }

  private func cover(ofWords text: String, wantsKeys: Bool) -> Cover? {
    let words = Set(WordSplitter.words(of: text))
    guard words.count <= Cover.keysMax else { return nil }
    let keys = words.map { CoverKey.bytes(kind: KeyKind.word, slot: 0, $0) }
    return Cover(keys: wantsKeys ? keys : [], cost: 0.01 * Double(words.count))
  }

  private func cover(of distance: DistanceComparison) throws(RecordsError) -> Cover {
    let slot = try table.slot(of: distance.path, [])
    let isWithin = distance.relation == .less || distance.relation == .lessOrEqual
    guard isWithin, let cells = GlobeCell.cells(around: distance.point, metres: distance.metres)
    else { return presence(ofSlot: slot) }
    addUses()
    uses.base[Int(slot)].cellLevels |= 1 << UInt32(cells.level)
    return Cover(
      keys: cells.cells.map { .bits(kind: KeyKind.cell, slot: slot, $0) },
      cost: min(0.8, distance.metres / 2_000_000))
  }

  /// Returns the expected fraction of records that have a symbol. It is estimated from the fraction of
  /// equality tests on the field that use the symbol, because users subscribe to values that occur.
  func cost(ofSymbol symbol: UInt32) -> Double {
    cost(ofSymbol: symbol, slot: symbols[symbol].slot)
  }

  private func cost(ofSymbol symbol: UInt32, slot: UInt16) -> Double {
    let uses = symbol == 0 ? 0 : Double(symbols[symbol].uses)
    let all = Int(slot) < self.uses.count ? Double(self.uses[Int(slot)].equalities) : 0
    return min(0.5, (uses + 1) / (all + 32))
  }
}

extension CoverKey {
  /// Copies the bytes of a key.
  init(_ key: SymbolKey) {
    let bytes = UnsafeBufferPointer(start: key.start, count: key.count)
    self =
      key.hasBytes
      ? .bytes(kind: key.kind, slot: key.slot, Array(bytes))
      : .bits(kind: key.kind, slot: key.slot, key.bits)
  }
}

extension String {
  fileprivate func folded(_ options: TextOptions) -> [UInt8] { TextFold.folded(self, options) }
}
