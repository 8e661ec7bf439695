// From a record to the predicates worth a look: every value is looked up under the kinds of keys
// that its slot has, and each list that is found is gone through. A posting whose signature does not
// fit is passed over without touching anything else; nobody stays a candidate twice.

import CMemory
import Predicates
import Records

/// A key that is being looked up.
struct LookUp: BitwiseCopyable {
  let key: SymbolKey
  let hash: UInt32

  @inline(__always)
  init(_ key: SymbolKey) {
    self.key = key
    hash = key.hash
  }
}

extension Partition {
  /// Gives the values of a view the numbers of their keys, which comparisons go by.
  func resolve(_ view: inout RecordView) {
    bench.lookUps.removeAll()
    for slot in view.filled where uses[Int(slot)].kinds & SlotUse.Kinds.value != 0 {
      guard let key = SymbolKey(value: view.slots[Int(slot)], slot: slot) else { continue }
      let lookUp = LookUp(key)
      symbols.prefetch(hash: lookUp.hash)
      bench.lookUps.append(lookUp)
    }
    let lookUps = UnsafeBufferPointer(start: bench.lookUps.base, count: bench.lookUps.count)
    for lookUp in lookUps { symbols.prefetchSymbol(hash: lookUp.hash) }
    for lookUp in lookUps {
      let symbol = symbols.find(lookUp.key, hash: lookUp.hash)
      view.setSymbol(symbol, ofSlot: lookUp.key.slot)
      if symbol != 0 { memory_prefetch(postings.base + Int(symbols[symbol].list)) }
    }
    if !elements.isEmpty || table.usesWords { resolveElements(&view) }
  }

  private func resolveElements(_ view: inout RecordView) {
    var found: [UInt64] = []
    for field in view.filled where uses[Int(field)].kinds & SlotUse.Kinds.elements != 0 {
      for element in elements.ofField(field)
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

  /// Adds whoever the record's state in `view` hits to the candidates. `other` is its state on the
  /// other side of a change, or the same; of the earlier state only what `differs` is looked up.
  func collect(_ view: inout RecordView, _ values: Values, onlyDifferences: Bool) {
    for slot in view.filled {
      let use = uses[Int(slot)]
      guard use.kinds != 0 else { continue }
      let value = values.own[Int(slot)]
      if onlyDifferences, !differs(value, values.other[Int(slot)]) {
        // The list was gone through for the other state, but not the pairs with what differs.
        if value.symbol != 0 { probePairs(of: value.symbol, slot: slot, use.partners, values) }
        continue
      }
      probe(value, slot: slot, use, values)
      if use.kinds & SlotUse.Kinds.elements != 0 { probeElements(of: &view, slot: slot, values) }
    }
    if table.usesWords { scanElements(ofSlot: 0, of: view, values) }
  }

  /// The values of a record on the side of a change that is looked up and on the other side, which
  /// may be the same. A signature has to fit one of them.
  struct Values {
    let own: UnsafePointer<ValueView>
    let other: UnsafePointer<ValueView>
  }

  /// Adds those that every record looks at.
  func collectAlways(_ values: Values) {
    look(SymbolKey(KeyKind.always, slot: 0, bits: 0), values)
  }

  /// Bit n: a value in a slot that is n modulo 32 differs between two views.
  func differences(_ view: borrowing RecordView, _ other: borrowing RecordView) -> UInt32 {
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

  private func probe(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    if value.symbol != 0 {
      scan(value.symbol, values)
      probePairs(of: value.symbol, slot: slot, use.partners, values)
    }
    if use.kinds & SlotUse.Kinds.presence != 0 {
      look(SymbolKey(KeyKind.presence, slot: slot, bits: 0), values)
    }
    switch value.kind {
    case .text: probeText(value, slot: slot, use, values)
    case .whole, .real, .date: probeNumber(value, slot: slot, use, values)
    case .location: probePlace(value, slot: slot, use, values)
    case .missing, .bytes, .reference, .asset, .list, .entries, .unknown, .unfolded: return
    }
  }

  private func probePairs(
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
      look(SymbolKey(KeyKind.pair, slot: slot, bits: bits), values)
    }
  }

  private func probeText(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    guard let start = value.start else { return }
    let count = Int(value.count)
    var lengths = use.kinds & SlotUse.Kinds.prefix != 0 ? use.prefixLengths : 0
    while lengths != 0 {
      let length = lengths.trailingZeroBitCount + 1
      guard length <= count else { break }
      lengths &= lengths - 1
      look(SymbolKey(KeyKind.prefix, slot: slot, start: start, count: length), values)
    }
    lengths = use.kinds & SlotUse.Kinds.suffix != 0 ? use.suffixLengths : 0
    while lengths != 0 {
      let length = lengths.trailingZeroBitCount + 1
      guard length <= count else { break }
      lengths &= lengths - 1
      look(
        SymbolKey(KeyKind.suffix, slot: slot, start: start + count - length, count: length), values)
    }
    guard use.kinds & SlotUse.Kinds.trigram != 0, count >= 3 else { return }
    let filter = filters.base + Int(use.trigramFilter) - 1
    var bits = UInt64(start[0]) << 8 | UInt64(start[1])
    for index in 2..<count {
      bits = (bits << 8 | UInt64(start[index])) & 0xFF_FFFF
      let place = Trigram.place(bits)
      if filter[place >> 3] & 1 << UInt8(place & 7) != 0 {
        look(SymbolKey(KeyKind.trigram, slot: slot, bits: bits), values)
      }
    }
  }

  private func probeNumber(
    _ value: ValueView, slot: UInt16, _ use: SlotUse, _ values: Values
  ) {
    guard use.kinds & SlotUse.Kinds.range != 0 else { return }
    let isReal = value.kind == .real
    let real = isReal ? value.real : Double(value.signed)
    let whole = isReal ? NumberLine.floor(value.real) : value.signed
    var levels = use.wholeLevels
    let place = NumberLine.place(whole)
    while levels != 0 {
      let level = UInt8(levels.trailingZeroBitCount)
      levels &= levels - 1
      look(
        SymbolKey(KeyKind.wholeCell + level, slot: slot, bits: place >> UInt64(level)), values)
    }
    levels = use.realLevels
    let realPlace = NumberLine.place(real)
    while levels != 0 {
      let level = UInt8(levels.trailingZeroBitCount)
      levels &= levels - 1
      look(
        SymbolKey(KeyKind.realCell + level, slot: slot, bits: realPlace >> UInt64(level)), values)
    }
    for number in [use.lowerBounds, use.upperBounds] where number != 0 {
      thresholds[Int(number) - 1].forEachHit(by: realPlace) { scan($0, values) }
    }
  }

  private func probePlace(
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
      look(SymbolKey(KeyKind.cell, slot: slot, bits: cell), values)
    }
  }

  private func probeElements(
    of view: inout RecordView, slot: UInt16, _ values: Values
  ) {
    let pieces = SlotUse.Kinds.prefix | SlotUse.Kinds.suffix | SlotUse.Kinds.trigram
    for element in elements.ofField(slot) {
      scanElements(ofSlot: element.slot, of: view, values)
      let use = uses[Int(element.slot)]
      guard use.kinds & pieces != 0 else { continue }
      element.key.part.withUnsafeBufferPointer { part in
        view.forEachElement(ofSlot: slot, part: part, element.key.options) { value in
          if value.kind == .text { probeText(value, slot: element.slot, use, values) }
        }
      }
    }
  }

  /// Goes through the lists of the elements of a slot, or of the words, which have slot 0.
  private func scanElements(
    ofSlot slot: UInt16, of view: borrowing RecordView, _ values: Values
  ) {
    var place = view.firstElement(ofSlot: slot, from: 0)
    while place < view.elementSymbols.count, view.elementSymbols[place] >> 32 == UInt64(slot) {
      scan(UInt32(truncatingIfNeeded: view.elementSymbols[place]), values)
      place += 1
    }
  }

  @inline(__always)
  private func look(_ key: SymbolKey, _ values: Values) {
    let symbol = symbols.find(key)
    if symbol != 0 { scan(symbol, values) }
  }

  @inline(__always)
  private func scan(_ number: UInt32, _ values: Values) {
    let symbol = symbols[number]
    guard symbol.listCount > 0 else { return }
    let list = UnsafePointer(postings.base + Int(symbol.list))
    scan(UnsafeBufferPointer(start: list, count: Int(symbol.listCount)), values)
  }

  /// Goes through a list in pieces, after each of which those found twice are taken out: few enough
  /// that what was asked for of a candidate is still near when it is looked at.
  private func scan(_ list: UnsafeBufferPointer<Posting>, _ values: Values) {
    var start = 0
    while start < list.count {
      let end = min(list.count, start + Self.unsettledMax)
      note(UnsafeBufferPointer(rebasing: list[start..<end]), values)
      if bench.candidates.count - bench.settledCount >= Self.unsettledMax { settle() }
      start = end
    }
  }

  private static let unsettledMax = 512

  /// Makes candidates of the postings whose signature fits. Their blocks lie anywhere, so all of
  /// them are asked for before the first is looked at.
  private func note(_ list: UnsafeBufferPointer<Posting>, _ values: Values) {
    let units = UnsafeRawPointer(blocks.units.base)
    let first = bench.candidates.allocateRun(list.count)
    let output = bench.candidates.base + first
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
    bench.candidates.truncate(to: first + found)
  }

  /// Leaves each candidate once.
  func settle() {
    let units = blocks.units.base
    let stamp = epoch
    let candidates = bench.candidates.base
    var kept = bench.settledCount
    for index in kept..<bench.candidates.count {
      let block = candidates[index]
      let header = UnsafeMutableRawPointer(units + Int(block))
        .assumingMemoryBound(to: BlockHeader.self)
      guard header.pointee.stamp != stamp else { continue }
      header.pointee.stamp = stamp
      candidates[kept] = block
      kept += 1
    }
    bench.candidates.truncate(to: kept)
    bench.settledCount = kept
  }
}
