// The predicates on one record type of one zone or database.
//
// Up to `scanMax` predicates are evaluated one by one. A larger partition is an inverted index: each
// predicate is filed under a cover, keys of which a record has at least one whenever the predicate
// matches it (`CoverSelection.swift`). The record's values are looked up (`CandidateSearch.swift`) and
// the predicates found are evaluated completely (`CandidateEvaluator.swift`). So keys affect the cost
// and never the result.
//
// A class, because it is large and has one owner, the index. It is never shared between threads. Its
// properties have no exclusivity checks, which took a fifth of the time of an insert. The tests passed
// with the checks on: no property is read while it is being modified.

import Predicates
import Records

/// The predicates on one record type of one scope, and the index that finds them.
final class Partition {
  /// The scope and record type that a partition's subscriptions have in common.
  struct Key: Hashable {
    let scope: SubscriptionScope
    /// `nil` for subscriptions to every type.
    let type: RecordType?
  }

  let key: Key
  let scratch: ScratchMemory
  /// The slots of the fields that the predicates read.
  @exclusivity(unchecked) var table = FieldTable()
  @exclusivity(unchecked) var symbols = SymbolTable()
  @exclusivity(unchecked) var blocks = PredicateBlocks()
  /// How the predicates use each slot, by slot.
  @exclusivity(unchecked) var uses = Slab<SlotUse>()
  @exclusivity(unchecked) var lists = PostingLists()
  @exclusivity(unchecked) var slotLedger = SlotLedger()
  /// The number of instructions, in all predicates of the partition, that search for words (`self CONTAINS`).
  @exclusivity(unchecked) private var wordTestCount = 0
  /// The number of the current event, never 0. It marks the blocks that are already candidates.
  @exclusivity(unchecked) var eventNumber: UInt32 = 0
  /// The predicates, as long as there are at most `scanMax`; `nil` once they are filed under keys.
  @exclusivity(unchecked) private(set) var unindexed: [Unindexed]? = []

  /// A predicate that is not filed under keys.
  struct Unindexed {
    let block: UInt32
    let predicate: Predicate
    /// How the predicate's slots are charged.
    let charge: SlotCharge
  }

  /// The largest number of predicates that are evaluated one by one. With more, they are filed under keys.
  static let scanMax = 64

  init(_ key: Key, _ scratch: ScratchMemory) {
    self.key = key
    self.scratch = scratch
  }

  /// The number of different predicates.
  var count: Int { blocks.count }

  /// The memory in use, in bytes.
  var byteCount: Int {
    symbols.byteCount + blocks.byteCount + uses.byteCount + lists.byteCount + table.byteCount
  }

  /// Returns the block of a predicate: that of an equal predicate, or a new one without subscribers.
  /// - Parameter charge: the account that the slots of new fields are charged to.
  /// - Throws: `invalidArguments` if the predicate uses `now()`; `quotaExceeded` or `limitExceeded` if
  ///   there are no slots for its fields.
  func block(
    for predicate: Predicate, chargingTo charge: SlotCharge
  ) throws(RecordsError) -> UInt32 {
    begin(charge)
    defer { releaseIdleSlots(chargingTo: charge) }
    let predicate = predicate.normalised()
    try compile(predicate)
    if let block = blocks.find(scratch.compiler.program) {
      release(block)
      return block
    }
    let block = blocks.add(
      scratch.compiler.program, slotMask: slotMask(of: scratch.compiler.program))
    do {
      if unindexed != nil {
        unindexed?.append(Unindexed(block: block, predicate: predicate, charge: charge))
        try addKeysIfMany()
      } else {
        try addKeys(of: block, predicate)
      }
    } catch {
      discard(block)
      throw error
    }
    return block
  }

  /// Removes a block whose last subscriber was removed.
  func remove(_ block: UInt32) {
    discard(block)
    releaseIdleSlots(chargingTo: .none)
  }

  private func discard(_ block: UInt32) {
    unindexed?.removeAll { $0.block == block }
    removeKeys(of: block)
    release(block)
    blocks.remove(block)
  }

  private func addKeysIfMany() throws(RecordsError) {
    guard let few = unindexed, few.count > Self.scanMax, let latest = few.last else { return }
    releaseIdleSlots(chargingTo: latest.charge)
    for one in few {
      do {
        begin(one.charge)
        try addKeys(of: one.block, one.predicate)
        releaseIdleSlots(chargingTo: one.charge)
      } catch {
        // All are still evaluated one by one. The caller removes the one that has no slots.
        for one in few { removeKeys(of: one.block) }
        throw error
      }
    }
    unindexed = nil
  }

  private func compile(_ predicate: Predicate) throws(RecordsError) {
    scratch.acquired.removeAll(keepingCapacity: true)
    // Compilation acquires more symbols than the program uses. Those that it uses are retained for it below.
    // The references acquired by compilation are then released.
    defer { for symbol in scratch.acquired { symbols.release(symbol) } }
    try scratch.compiler.compile(predicate, &table, now: nil, source: symbolSource)
    addUses()
    for instruction in scratch.compiler.program.instructions {
      retain(slot: instruction.slot)
      if instruction.isOfWords { wordTestCount += 1 }
    }
    forEachSymbol(of: scratch.compiler.program.instructions, scratch.compiler.program.constants) {
      symbol in
      let slot = Int(symbols[symbol].slot)
      symbols.retain(symbol)
      uses.base[slot].kinds |= SlotUse.Kinds.value
      uses.base[slot].equalities += 1
    }
  }

  private lazy var symbolSource = SymbolSource(
    symbol: { [unowned self] slot, view in
      SymbolKey(value: view, slot: slot).map { acquire($0) }
    },
    word: { [unowned self] word in
      acquire(SymbolKey(KeyKind.word, slot: 0, start: word.baseAddress, count: word.count))
    },
    elementSlot: { [unowned self] table, field, part, options throws(RecordsError) in
      try elementSlot(&table, ofField: field, part: part, options)
    })

  private func acquire(_ key: SymbolKey) -> UInt32 {
    let symbol = symbols.acquire(key)
    scratch.acquired.append(symbol)
    return symbol
  }

  /// Returns the slot for keys of elements, creating it if there is none.
  func elementSlot(
    _ table: inout FieldTable, ofField field: UInt16, part: [UInt8], _ options: TextOptions
  ) throws(RecordsError) -> UInt16 {
    let key = ElementUse.Key(field: field, part: part, options: options)
    if let slot = slotLedger.elements.slot(of: key) { return slot }
    let slot = try table.newSlot()
    addUses(upTo: table.slotCount)
    uses.base[Int(slot)].kinds |= SlotUse.Kinds.ofElements
    uses.base[Int(field)].kinds |= SlotUse.Kinds.elements
    slotLedger.elements.add(ElementUse(key: key, slot: slot))
    return slot
  }

  /// Whether any predicate tests for words, so that the texts of records are split into words.
  var usesWords: Bool { wordTestCount > 0 }

  /// Releases the symbols that a program compares with and the slots that it reads.
  private func release(_ block: UInt32) {
    let header = blocks.header(block)
    let code = UnsafeBufferPointer(
      start: blocks.code(block), count: Int(header.pointee.instructionCount))
    let constants = blocks.constants(block, header)
    for instruction in code {
      release(slot: instruction.slot)
      if instruction.isOfWords { wordTestCount -= 1 }
      switch instruction.operation {
      case .symbolEqual, .symbolNotEqual: releaseValue(instruction.constant)
      case .symbolIn, .holdsSymbol:
        for index in 0..<Int(instruction.count) / 4 {
          releaseValue(
            (constants + Int(instruction.constant))
              .loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
      case .constant, .present, .interval, .text, .value, .any, .all, .words, .distance: continue
      }
    }
  }

  private func releaseValue(_ symbol: UInt32) {
    uses.base[Int(symbols[symbol].slot)].equalities -= 1
    symbols.release(symbol)
  }

  private func forEachSymbol(
    of instructions: [Instruction], _ constants: [UInt8], _ body: (UInt32) -> Void
  ) {
    for instruction in instructions {
      switch instruction.operation {
      case .symbolEqual, .symbolNotEqual: body(instruction.constant)
      case .symbolIn, .holdsSymbol:
        constants.withUnsafeBytes { bytes in
          for index in 0..<Int(instruction.count) / 4 {
            body(
              bytes.loadUnaligned(
                fromByteOffset: Int(instruction.constant) + 4 * index, as: UInt32.self))
          }
        }
      case .constant, .present, .interval, .text, .value, .any, .all, .words, .distance: continue
      }
    }
  }

  private func slotMask(of program: borrowing Program) -> UInt32 {
    program.instructions.reduce(0) { mask, instruction in
      switch instruction.operation {
      case .words: UInt32.max
      case .constant: mask
      case .holdsSymbol:
        // Elements change only with their field, words with any text.
        mask
          | (slotLedger.elements.field(ofElementsIn: instruction.slot)
            .map { 1 << UInt32($0 & 31) } ?? .max)
      default: mask | 1 << UInt32(instruction.slot & 31)
      }
    }
  }
}

extension Instruction {
  /// Whether the instruction tests for words of the record's texts, which have no slot and use 0.
  fileprivate var isOfWords: Bool { operation == .holdsSymbol && slot == 0 }
}
