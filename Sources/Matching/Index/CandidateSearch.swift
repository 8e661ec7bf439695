// Finds the candidate predicates for a record. Each value is looked up by the kinds of keys that its slot
// has, and the posting lists found are scanned. A posting whose signature does not agree with the record
// is skipped without reading its block. Duplicate candidates are removed.

import CMemory
import Predicates
import Records

/// A key with its hash, computed once for all steps of a lookup.
struct HashedKey: BitwiseCopyable {
  let key: SymbolKey
  let hash: UInt32

  @inline(__always)
  init(_ key: SymbolKey) {
    self.key = key
    hash = key.hash
  }
}

extension Partition {
  /// Sets the symbols of a view's values, elements and words, which the programs compare.
  func resolve(_ view: inout EvaluatedRecord) {
    scratch.hashedKeys.removeAll()
    for slot in view.filled where uses[Int(slot)].kinds & SlotUse.Kinds.value != 0 {
      guard let key = SymbolKey(value: view.slots[Int(slot)], slot: slot) else { continue }
      let hashedKey = HashedKey(key)
      symbols.prefetch(hash: hashedKey.hash)
      scratch.hashedKeys.append(hashedKey)
    }
    let hashedKeys = UnsafeBufferPointer(
      start: scratch.hashedKeys.base, count: scratch.hashedKeys.count)
    for hashedKey in hashedKeys { symbols.prefetchSymbol(hash: hashedKey.hash) }
    for hashedKey in hashedKeys {
      let symbol = symbols.find(hashedKey.key, hash: hashedKey.hash)
      view.setSymbol(symbol, ofSlot: hashedKey.key.slot)
      if symbol != 0 { memory_prefetch(lists.postings.base + Int(symbols[symbol].list)) }
    }
    if !slotLedger.elements.isEmpty || table.usesWords { resolveElements(&view) }
  }

  private func resolveElements(_ view: inout EvaluatedRecord) {
    var found: [UInt64] = []
    for field in view.filled where uses[Int(field)].kinds & SlotUse.Kinds.elements != 0 {
      for element in slotLedger.elements.ofField(field)
      where uses[Int(element.slot)].kinds & SlotUse.Kinds.value != 0 {
        element.key.part.withUnsafeBufferPointer { part in
          view.forEachElement(ofSlot: field, part: part, element.key.options) { value in
            guard let key = SymbolKey(value: value, slot: element.slot) else { return }
            let symbol = symbols.find(key)
            if symbol != 0 { found.append(UInt64(element.slot) << 32 | UInt64(symbol)) }
          }
        }
      }
    }
    var wordsLeft = PredicateLimits.wordsPerRecord
    for text in view.texts where wordsLeft > 0 {
      WordSplitter.forEachWord(in: text.buffer) { word in
        let symbol = symbols.find(
          SymbolKey(KeyKind.word, slot: 0, start: word.baseAddress, count: word.count))
        if symbol != 0 { found.append(UInt64(symbol)) }
        wordsLeft -= 1
        return wordsLeft > 0
      }
    }
    if !found.isEmpty { view.setElementSymbols(found) }
  }

  /// Appends the predicates found for a state of the record to the candidates.
  /// - Parameters:
  ///   - view: the state to look up.
  ///   - values: the values of this state and of the other one.
  ///   - onlyDifferences: whether to look up only the values that differ from the other state, because
  ///     the other state was looked up before.
  func collect(_ view: inout EvaluatedRecord, _ values: Values, onlyDifferences: Bool) {
    for slot in view.filled {
      let use = uses[Int(slot)]
      guard use.kinds != 0 else { continue }
      let value = values.own[Int(slot)]
      if onlyDifferences, !differs(value, values.other[Int(slot)]) {
        // The lookup of the other state scanned this list. It did not scan the pairs of this value with
        // values that differ between the states.
        if value.symbol != 0 { lookUpPairs(of: value.symbol, slot: slot, use.partners, values) }
        continue
      }
      lookUp(value, slot: slot, use, values)
      if use.kinds & SlotUse.Kinds.elements != 0 { lookUpElements(of: &view, slot: slot, values) }
    }
    if table.usesWords { scanElements(ofSlot: 0, of: view, values) }
  }

  /// The values of the state that is looked up and of the other state, which is the same one on
  /// creation and deletion. A signature must agree with one of them.
  struct Values {
    let own: UnsafePointer<ValueView>
    let other: UnsafePointer<ValueView>
  }

  /// Appends the predicates without a cover, which are evaluated for every record.
  func collectAlways(_ values: Values) {
    lookUp(SymbolKey(KeyKind.always, slot: 0, bits: 0), values)
  }

  /// Returns a mask whose bit n is set if the views differ in some slot s with s mod 32 = n.
  func differences(_ view: borrowing EvaluatedRecord, _ other: borrowing EvaluatedRecord) -> UInt32
  {
    var mask: UInt32 = 0
    for slot in view.filled where differs(view.slots[Int(slot)], other.slots[Int(slot)]) {
      mask |= 1 << UInt32(slot & 31)
    }
    for slot in other.filled where view.slots[Int(slot)].kind == .missing {
      mask |= 1 << UInt32(slot & 31)
    }
    return mask
  }

  @inline(__always)
  private func differs(_ value: ValueView, _ other: ValueView) -> Bool {
    guard value.kind == other.kind, value.bits == other.bits, value.count == other.count else {
      return true
    }
    guard let start = value.start, let otherStart = other.start else { return false }
    return !equal(start, otherStart, count: Int(value.count))
  }

  private func lookUp(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    if value.symbol != 0 {
      scan(value.symbol, values)
      lookUpPairs(of: value.symbol, slot: slot, use.partners, values)
    }
    if use.kinds & SlotUse.Kinds.presence != 0 {
      lookUp(SymbolKey(KeyKind.presence, slot: slot, bits: 0), values)
    }
    switch value.kind {
    case .text: lookUpText(value, slot: slot, use, values)
    case .whole, .real, .date: lookUpNumber(value, slot: slot, use, values)
    case .location: lookUpPlace(value, slot: slot, use, values)
    case .missing, .bytes, .reference, .asset, .list, .entries, .unknown, .unfolded: return
    }
  }

  private func lookUpPairs(
    of symbol: UInt32, slot: UInt16, _ partners: UInt64, _ values: Values
  ) {
    guard partners != 0, symbols[symbol].hasPairs != 0 else { return }
    var rest = partners
    while rest != 0 {
      let partner = UInt32(rest.trailingZeroBitCount)
      rest &= rest - 1
      let other = values.own[Int(partner)].symbol
      guard other != 0 else { continue }
      let bits = UInt64(symbol) << 32 | UInt64(other << 8 | partner)
      lookUp(SymbolKey(KeyKind.pair, slot: slot, bits: bits), values)
    }
  }

  private func lookUpText(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    guard let start = value.start else { return }
    let count = Int(value.count)
    var lengths = use.kinds & SlotUse.Kinds.prefix != 0 ? use.prefixLengths : 0
    while lengths != 0 {
      let length = lengths.trailingZeroBitCount + 1
      guard length <= count else { break }
      lengths &= lengths - 1
      lookUp(SymbolKey(KeyKind.prefix, slot: slot, start: start, count: length), values)
    }
    lengths = use.kinds & SlotUse.Kinds.suffix != 0 ? use.suffixLengths : 0
    while lengths != 0 {
      let length = lengths.trailingZeroBitCount + 1
      guard length <= count else { break }
      lengths &= lengths - 1
      lookUp(
        SymbolKey(KeyKind.suffix, slot: slot, start: start + count - length, count: length), values)
    }
    guard use.kinds & SlotUse.Kinds.trigram != 0, count >= 3 else { return }
    let filter = lists.filters.base + Int(use.trigramFilter) - 1
    var bits = UInt64(start[0]) << 8 | UInt64(start[1])
    for index in 2..<count {
      bits = (bits << 8 | UInt64(start[index])) & 0xFF_FFFF
      let bit = Trigram.filterBit(bits)
      if filter[bit >> 3] & 1 << UInt8(bit & 7) != 0 {
        lookUp(SymbolKey(KeyKind.trigram, slot: slot, bits: bits), values)
      }
    }
  }

  private func lookUpNumber(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    guard use.kinds & SlotUse.Kinds.range != 0 else { return }
    let isReal = value.kind == .real
    let real = isReal ? value.real : Double(value.signed)
    let whole = isReal ? NumberLine.floor(value.real) : value.signed
    var levels = use.wholeLevels
    let position = NumberLine.position(whole)
    while levels != 0 {
      let level = UInt8(levels.trailingZeroBitCount)
      levels &= levels - 1
      lookUp(
        SymbolKey(KeyKind.wholeCell + level, slot: slot, bits: position >> UInt64(level)), values)
    }
    levels = use.realLevels
    let realPosition = NumberLine.position(real)
    while levels != 0 {
      let level = UInt8(levels.trailingZeroBitCount)
      levels &= levels - 1
      lookUp(
        SymbolKey(KeyKind.realCell + level, slot: slot, bits: realPosition >> UInt64(level)), values
      )
    }
    for number in [use.lowerBounds, use.upperBounds] where number != 0 {
      lists.thresholds[Int(number) - 1].forEachMatch(of: realPosition) { scan($0, values) }
    }
  }

  private func lookUpPlace(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    guard use.cellLevels != 0 else { return }
    let place = value.place
    var levels = use.cellLevels
    while levels != 0 {
      let level = levels.trailingZeroBitCount
      levels &= levels - 1
      let cell = GlobeCell.cell(
        latitude: place.latitudeDegrees, longitude: place.longitudeDegrees, level: level)
      lookUp(SymbolKey(KeyKind.cell, slot: slot, bits: cell), values)
    }
  }

  private func lookUpElements(
    of view: inout EvaluatedRecord, slot: UInt16, _ values: Values
  ) {
    let substrings = SlotUse.Kinds.prefix | SlotUse.Kinds.suffix | SlotUse.Kinds.trigram
    for element in slotLedger.elements.ofField(slot) {
      scanElements(ofSlot: element.slot, of: view, values)
      let use = uses[Int(element.slot)]
      guard use.kinds & substrings != 0 else { continue }
      element.key.part.withUnsafeBufferPointer { part in
        view.forEachElement(ofSlot: slot, part: part, element.key.options) { value in
          if value.kind == .text { lookUpText(value, slot: element.slot, use, values) }
        }
      }
    }
  }

  /// Scans the lists of the record's elements in `slot`, or of its words, which have slot 0.
  private func scanElements(
    ofSlot slot: UInt16, of view: borrowing EvaluatedRecord, _ values: Values
  ) {
    var index = view.firstElement(ofSlot: slot, from: 0)
    while index < view.elementSymbols.count, view.elementSymbols[index] >> 32 == UInt64(slot) {
      scan(UInt32(truncatingIfNeeded: view.elementSymbols[index]), values)
      index += 1
    }
  }

  @inline(__always)
  private func lookUp(_ key: SymbolKey, _ values: Values) {
    let symbol = symbols.find(key)
    if symbol != 0 { scan(symbol, values) }
  }

  @inline(__always)
  private func scan(_ number: UInt32, _ values: Values) {
    let symbol = symbols[number]
    guard symbol.listCount > 0 else { return }
    let list = UnsafePointer(lists.postings.base + Int(symbol.list))
    scan(UnsafeBufferPointer(start: list, count: Int(symbol.listCount)), values)
  }

  /// Scans a list in batches and removes duplicates after each. A batch is small enough that the
  /// prefetched blocks are still in the cache when `removeDuplicates` reads them.
  private func scan(_ list: UnsafeBufferPointer<Posting>, _ values: Values) {
    var start = 0
    while start < list.count {
      let end = min(list.count, start + Self.scanBatchCount)
      appendCandidates(UnsafeBufferPointer(rebasing: list[start..<end]), values)
      let uncheckedCount = scratch.candidates.count - scratch.uniqueCount
      if uncheckedCount >= Self.scanBatchCount { removeDuplicates() }
      start = end
    }
  }

  /// The number of candidates to check for duplicates at a time.
  private static let scanBatchCount = 512

  /// Appends the blocks of the postings whose signature agrees with the record. The blocks are
  /// scattered in memory, so all are prefetched before the first is read.
  private func appendCandidates(_ list: UnsafeBufferPointer<Posting>, _ values: Values) {
    let units = UnsafeRawPointer(blocks.units.base)
    let first = scratch.candidates.allocateRun(list.count)
    let output = scratch.candidates.base + first
    var found = 0
    for posting in list {
      if posting.signature != 0 {
        let slot = Int(posting.signature & 0xFF)
        guard
          values.own[slot].symbol << 8 == posting.signature & ~0xFF
            || values.other[slot].symbol << 8 == posting.signature & ~0xFF
        else { continue }
      }
      let block = units + Int(posting.block) * MemoryLayout<BlockUnit>.stride
      memory_prefetch(block)
      memory_prefetch(block + 64)
      output[found] = posting.block
      found += 1
    }
    scratch.candidates.truncate(to: first + found)
  }

  /// Removes duplicates from the candidates added since the last call.
  func removeDuplicates() {
    let units = blocks.units.base
    let stamp = eventNumber
    let candidates = scratch.candidates.base
    var uniqueCount = scratch.uniqueCount
    for index in uniqueCount..<scratch.candidates.count {
      let block = candidates[index]
      let header = UnsafeMutableRawPointer(units + Int(block))
        .assumingMemoryBound(to: BlockHeader.self)
      guard header.pointee.stamp != stamp else { continue }
      header.pointee.stamp = stamp
      candidates[uniqueCount] = block
      uniqueCount += 1
    }
    scratch.candidates.truncate(to: uniqueCount)
    scratch.uniqueCount = uniqueCount
  }
}
