// A record is scanned once for any number of predicates. The scan stores where the value of each field that
// predicates read is in the encoded bytes, in the field's slot, without decoding it. Decoded fields are
// encoded first and evaluated in the same way.

import Records

/// The fields of a record that the broker sets and predicates can read.
package struct SystemFields: Hashable, Sendable {
  /// The record's name.
  package let name: RecordName
  /// The time and author of the record's creation.
  package let created: Stamp
  /// The time and author of the record's last change.
  package let modified: Stamp

  package init(name: RecordName, created: Stamp, modified: Stamp) {
    self.name = name
    self.created = created
    self.modified = modified
  }

  /// The system fields of a record in a zone's feed.
  package init(_ change: Change) {
    self.init(name: change.name, created: change.created, modified: change.modified)
  }
}

/// The values of a record by slot. A view owns the bytes that its values point into.
package struct EvaluatedRecord: ~Copyable {
  /// The values. Those of fields that the record does not have are `missing`.
  package private(set) var slots: UnsafeMutablePointer<ValueView>
  /// The slots that have a value, in no order.
  package private(set) var filled: [UInt16] = []
  /// The record's texts, folded for `self CONTAINS`; empty if no predicate tests for words.
  package private(set) var texts: [ValueView] = []
  /// An index's symbols for elements and words of the record, sorted. The slot is in the upper 32 bits,
  /// the symbol in the lower.
  package private(set) var elementSymbols: [UInt64] = []
  /// The cost of loading the record, in steps (bytes read).
  package private(set) var loadSteps = 0
  /// The texts that were not folded because of a limit.
  private(set) var unfolded = Unfolded()
  private var limits = LoadLimits()
  /// The steps (bytes read) that a run has left. Negative after it exceeds its limit.
  package var stepsLeft = 0
  var arena = ByteArena()
  private var elementForms = ElementForms()
  private var slotCapacity: Int

  /// The kinds of texts of which at least one was not folded.
  struct Unfolded {
    var any = false
    var words = false
    var elements = false
  }

  /// The limits given to `load`.
  private struct LoadLimits {
    var foldedBytes = Int.max
    var steps = Int.max
  }

  /// Whether a text that a predicate reads was not folded, because it is too long or loading exceeded
  /// its steps.
  package var hasUnfolded: Bool { unfolded.any }

  /// Creates an empty view.
  package init() {
    slotCapacity = 16
    slots = .allocate(capacity: slotCapacity)
    slots.initialize(repeating: ValueView(), count: slotCapacity)
  }

  deinit {
    slots.deallocate()
  }

  /// Removes the record.
  package mutating func clear() {
    for slot in filled { slots[Int(slot)] = ValueView() }
    filled.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    elementSymbols.removeAll(keepingCapacity: true)
    arena.reset()
    unfolded = Unfolded()
    loadSteps = 0
    elementForms.removeAll()
  }

  /// Loads the values of a record that have a slot in `table`. The cost is about 10 ns for each field
  /// and a copy of the record. Bytes that cannot be parsed are ignored; records are validated when they
  /// are saved.
  /// - Parameters:
  ///   - foldedBytesMaximum: the longest text to fold, in bytes. A run that reads the folded form of a
  ///     longer one fails.
  ///   - stepsMaximum: the limit of steps. Once it is exceeded, no further text is folded.
  package mutating func load(
    _ record: EncodedRecord, _ system: SystemFields, _ table: borrowing FieldTable,
    foldedBytesMaximum: Int = .max, stepsMaximum: Int = .max
  ) {
    clear()
    limits = LoadLimits(foldedBytes: foldedBytesMaximum, steps: stepsMaximum)
    loadSteps = record.bytes.count
    reserve(table.slotCount)
    load(system, table)
    let copy = arena.allocate(record.bytes.count)
    _ = copy.initialize(fromContentsOf: record.bytes)
    var reader = RawReader(UnsafeBufferPointer(copy))
    while let part = reader.next() {
      guard part.number == 1, part.type == .lengthDelimited else { continue }
      load(field: part.content, table)
    }
  }

  /// Sets the index's symbol for the value of a slot.
  @inline(__always)
  package mutating func setSymbol(_ symbol: UInt32, ofSlot slot: UInt16) {
    slots[Int(slot)].symbol = symbol
  }

  /// Sets the index's symbols for elements and words, in any order.
  package mutating func setElementSymbols(_ symbols: [UInt64]) {
    elementSymbols = symbols.sorted()
  }

  /// Returns the index in `elementSymbols` of the first symbol of `slot` that is `symbol` or greater.
  package func firstElement(ofSlot slot: UInt16, from symbol: UInt32) -> Int {
    let wanted = UInt64(slot) << 32 | UInt64(symbol)
    var low = 0
    var high = elementSymbols.count
    while low < high {
      let middle = (low + high) / 2
      if elementSymbols[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func reserve(_ count: Int) {
    guard count > slotCapacity else { return }
    slots.deallocate()
    slotCapacity = count * 2
    slots = .allocate(capacity: slotCapacity)
    slots.initialize(repeating: ValueView(), count: slotCapacity)
  }

  private mutating func load(_ system: SystemFields, _ table: borrowing FieldTable) {
    set(.recordID, to: text(of: system.name.text))
    set(.creationDate, to: ValueView(.date, system.created.time))
    set(.modificationDate, to: ValueView(.date, system.modified.time))
    guard table.usesAccounts else { return }
    set(.creatorUserRecordID, to: text(of: system.created.origin.account.description))
    set(.lastModifiedUserRecordID, to: text(of: system.modified.origin.account.description))
  }

  private mutating func set(_ field: SystemField, to value: ValueView) {
    fill(UInt16(field.rawValue), value)
  }

  /// Returns a reference to the record or account with this name.
  private mutating func text(of name: String) -> ValueView {
    let bytes = arena.allocate(name.utf8.count)
    _ = bytes.initialize(fromContentsOf: name.utf8)
    return ValueView(.reference, start: UnsafePointer(bytes.baseAddress), count: bytes.count)
  }

  @inline(__always)
  private mutating func fill(_ slot: UInt16, _ value: ValueView) {
    // NB: a record that contains a field twice is rejected when saved; here the last one would win.
    if slots[Int(slot)].kind == .missing { filled.append(slot) }
    slots[Int(slot)] = value
  }

  private mutating func load(field reader: RawReader, _ table: borrowing FieldTable) {
    var reader = reader
    var key: UnsafeBufferPointer<UInt8>?
    var value = ValueView()
    while let part = reader.next() {
      guard part.type == .lengthDelimited else { continue }
      if part.number == 1 { key = part.buffer }
      if part.number == 2 { value = ValueView(encoded: part.content) }
    }
    guard let key, value.kind != .missing else { return }
    if table.usesWords, value.kind == .text {
      let form = loaded(value, [.caseInsensitive, .diacriticInsensitive])
      if form.kind == .unfolded { unfolded.words = true } else { texts.append(form) }
    }
    guard let forms = table.forms(ofField: key) else { return }
    fill(forms.0, value)
    if forms.1 != 0 { fill(forms.1, loaded(value, TextOptions(rawValue: 1))) }
    if forms.2 != 0 { fill(forms.2, loaded(value, TextOptions(rawValue: 2))) }
    if forms.3 != 0 { fill(forms.3, loaded(value, TextOptions(rawValue: 3))) }
  }

  /// Returns the folded form of a value, for a slot. Folding is counted in `loadSteps`.
  private mutating func loaded(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text else { return value }
    guard isFoldable(value) else { return ValueView(.unfolded, bits: 0) }
    let steps = TextFold.steps(for: value.buffer)
    guard loadSteps <= limits.steps - steps else {
      unfolded.any = true
      return ValueView(.unfolded, bits: 0)
    }
    loadSteps += steps
    return folded(value, options)
  }

  private mutating func isFoldable(_ text: ValueView) -> Bool {
    if Int(text.count) > limits.foldedBytes { unfolded.any = true }
    return Int(text.count) <= limits.foldedBytes
  }

  /// Returns whether the result of an instruction is unknown, because it reads a text that was not
  /// folded.
  func isUnknown(_ test: Instruction) -> Bool {
    switch test.operation {
    case .words: unfolded.words
    // A word or element that was not folded has no symbol. Which slots have such elements is not stored, so
    // every test of elements is unknown.
    case .holdsSymbol: unfolded.words || unfolded.elements
    default: slots[Int(test.slot)].kind == .unfolded
    }
  }

  /// Returns a text folded under `options`, and any other value unchanged. The folded form is valid until
  /// `arena` is released.
  mutating func folded(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text, !options.isEmpty else { return value }
    let output = arena.allocate(Int(value.count) * TextFold.growthMax)
    let count = TextFold.fold(value.buffer, options, into: output)
    return ValueView(.text, start: UnsafePointer(output.baseAddress), count: count)
  }

  /// Returns the folded form of a text inside a list or entry of the record. Folding is counted in
  /// `stepsLeft`. A short text is folded each time, into `arena`, which the caller releases.
  mutating func foldedElement(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text, !options.isEmpty, let start = value.start else { return value }
    guard value.count > Self.shortTextBytes else {
      stepsLeft -= Int(value.count)
      return folded(value, options)
    }
    guard isFoldable(value) else {
      unfolded.elements = true
      stepsLeft = -1
      return ValueView(.unfolded, bits: 0)
    }
    if let known = elementForms.find(start, options) { return known }
    stepsLeft -= TextFold.steps(for: value.buffer)
    let mark = arena.mark
    defer { arena.release(to: mark) }
    let form = folded(value, options).buffer
    return elementForms.add(form, of: start, options)
  }

  /// The longest text that is faster to fold again than to find in `elementForms`.
  private static let shortTextBytes = 32
}

extension ValueView {
  fileprivate init(_ kind: ValueKind, _ time: Timestamp) {
    self.init(kind, bits: UInt64(bitPattern: time.microseconds))
  }
}
