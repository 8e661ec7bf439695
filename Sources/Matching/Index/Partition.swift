// The subscriptions of one scope: those on one zone or database, of one record type. Few of them are
// simply all run. From `scanMax` on each predicate is filed under keys of which one is hit whenever
// it holds (`Covering.swift`); a record's values are looked up (`Probing.swift`), and whoever is
// found is run as a whole, so that keys only ever save work and never decide (`Judging.swift`).
//
// A class, because it is large and has one owner, the index; it is never shared between threads. No
// part of it is read while it is being changed: the tests ran with the checks of that, which took a
// fifth of the time of an insert, and they are off since.

import Predicates
import Records

/// The predicates of one scope and what finds them.
final class Partition {
  /// What its subscriptions have in common.
  struct Place: Hashable {
    let scope: SubscriptionScope
    /// `nil` for those that ask for every type.
    let type: RecordType?
  }

  let place: Place
  let bench: Workbench
  @exclusivity(unchecked) var table = FieldTable()
  @exclusivity(unchecked) var symbols = SymbolTable()
  @exclusivity(unchecked) var blocks = PredicateBlocks()
  @exclusivity(unchecked) var uses = Slab<SlotUse>()
  @exclusivity(unchecked) var postings = Slab<Posting>()
  @exclusivity(unchecked) var entries = Slab<KeyEntry>()
  @exclusivity(unchecked) var filters = Slab<UInt8>()
  @exclusivity(unchecked) var thresholds: [ThresholdTable] = []
  /// The tables of slots that were given back.
  @exclusivity(unchecked) var freeThresholds: [Int] = []
  @exclusivity(unchecked) var elements = ElementUses()
  /// Slots to be looked at after the present change: nothing refers to them, or nothing yet.
  @exclusivity(unchecked) var idleSlots: [UInt16] = []
  @exclusivity(unchecked) var shares = SlotShares()
  /// The tests for words of a record's texts.
  @exclusivity(unchecked) private var wordTestCount = 0
  @exclusivity(unchecked) var epoch: UInt32 = 0
  /// The predicates while they are few enough to be run one by one; `nil` once there are keys.
  @exclusivity(unchecked) private(set) var unfiled: [Unfiled]? = []

  /// A predicate that has no keys.
  struct Unfiled {
    let block: UInt32
    let predicate: Predicate
    /// The account whose subscription brought it.
    let maker: SlotMaker
  }

  /// Up to so many predicates are run one by one.
  static let scanMax = 64

  /// A partition without predicates that does its work on `bench`.
  init(_ place: Place, _ bench: Workbench) {
    self.place = place
    self.bench = bench
    _ = entries.allocate(1)
    _ = filters.allocate(1)
  }

  /// The predicates there are.
  var count: Int { blocks.count }

  /// The bytes it takes.
  var byteCount: Int {
    symbols.byteCount + blocks.byteCount + uses.byteCount + postings.byteCount + entries.byteCount
      + filters.byteCount + thresholds.reduce(0) { $0 + $1.byteCount } + table.byteCount
  }

  /// The block of a predicate: that of an equal one, or a new one without subscribers.
  /// - Parameter maker: the account that the slots of new fields are charged to.
  func block(for predicate: Predicate, of maker: SlotMaker) throws(RecordsError) -> UInt32 {
    begin(maker)
    defer { settleSlots(of: maker) }
    let predicate = predicate.normalised()
    try compile(predicate)
    if let block = blocks.find(bench.compiler.program) {
      release(block)
      return block
    }
    let block = blocks.add(bench.compiler.program, slotMask: slotMask(of: bench.compiler.program))
    do {
      if unfiled != nil {
        unfiled?.append(Unfiled(block: block, predicate: predicate, maker: maker))
        try fileAllIfMany()
      } else {
        try file(block, predicate)
      }
    } catch {
      takeOut(block)
      throw error
    }
    return block
  }

  /// Takes out a block that nobody subscribes to any more.
  func remove(_ block: UInt32) {
    takeOut(block)
    settleSlots(of: .none)
  }

  private func takeOut(_ block: UInt32) {
    unfiled?.removeAll { $0.block == block }
    withdraw(block)
    release(block)
    blocks.remove(block)
  }

  private func fileAllIfMany() throws(RecordsError) {
    guard let few = unfiled, few.count > Self.scanMax, let latest = few.last else { return }
    settleSlots(of: latest.maker)
    for one in few {
      do {
        begin(one.maker)
        try file(one.block, one.predicate)
        settleSlots(of: one.maker)
      } catch {
        // All stay to be run one by one; the one that has no room is taken out by the caller.
        for one in few { withdraw(one.block) }
        throw error
      }
    }
    unfiled = nil
  }

  private func compile(_ predicate: Predicate) throws(RecordsError) {
    bench.acquired.removeAll(keepingCapacity: true)
    // Not every number that is asked for ends up in the program: all are given back, once those
    // that do are held for it.
    defer { for symbol in bench.acquired { symbols.release(symbol) } }
    try bench.compiler.compile(predicate, &table, now: nil, numbering: numbering)
    addUses()
    for instruction in bench.compiler.program.instructions {
      hold(slot: instruction.slot)
      if instruction.isOfWords { wordTestCount += 1 }
    }
    forEachSymbol(of: bench.compiler.program.instructions, bench.compiler.program.constants) {
      symbol in
      let slot = Int(symbols[symbol].slot)
      symbols.retain(symbol)
      uses.base[slot].kinds |= SlotUse.Kinds.value
      uses.base[slot].equalities += 1
    }
  }

  private lazy var numbering = ValueNumbering(
    number: { [unowned self] slot, view in
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
    bench.acquired.append(symbol)
    return symbol
  }

  /// The slot for keys of elements; made if there is none.
  func elementSlot(
    _ table: inout FieldTable, ofField field: UInt16, part: [UInt8], _ options: TextOptions
  ) throws(RecordsError) -> UInt16 {
    let key = ElementUse.Key(field: field, part: part, options: options)
    if let slot = elements.slot(of: key) { return slot }
    let slot = try table.newSlot()
    addUses(upTo: table.slotCount)
    uses.base[Int(slot)].kinds |= SlotUse.Kinds.ofElements
    uses.base[Int(field)].kinds |= SlotUse.Kinds.elements
    elements.add(ElementUse(key: key, slot: slot))
    return slot
  }

  /// Whether a test for words is in force, so that texts are split into them.
  var usesWords: Bool { wordTestCount > 0 }

  /// Gives back the symbols that a program compares with and the slots it looks at.
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
        // Elements change with the field they are of; words with any text.
        mask
          | (elements.field(ofElementsIn: instruction.slot).map { 1 << UInt32($0 & 31) } ?? .max)
      default: mask | 1 << UInt32(instruction.slot & 31)
      }
    }
  }
}

extension Instruction {
  /// Whether it asks for words of the record's texts, which have no slot of their own.
  fileprivate var isOfWords: Bool { operation == .holdsSymbol && slot == 0 }
}
