// A record taken apart once for any number of predicates: its encoded bytes are walked, and what
// somebody looks at is noted in that field's slot, without decoding. Both kinds of evaluation, of
// encoded records and of decoded fields, go through here, so that there is one meaning.

import Records

/// What the broker says about a record, as predicates ask for it.
package struct SystemFields: Hashable, Sendable {
  /// The record's name.
  package let name: RecordName
  /// When it was made and by whom.
  package let created: Stamp
  /// When it was last changed and by whom.
  package let modified: Stamp

  /// These facts.
  package init(name: RecordName, created: Stamp, modified: Stamp) {
    self.name = name
    self.created = created
    self.modified = modified
  }

  /// What a change says about its record.
  package init(_ change: Change) {
    self.init(name: change.name, created: change.created, modified: change.modified)
  }
}

/// A record's values by slot. Owns the bytes they lie in.
package struct RecordView: ~Copyable {
  /// The values; those of fields the record lacks are missing.
  package private(set) var slots: UnsafeMutablePointer<ValueView>
  /// The slots that have a value, in no order.
  package private(set) var filled: [UInt16] = []
  /// The record's texts, folded for `self CONTAINS`; empty unless the table asks for words.
  package private(set) var texts: [ValueView] = []
  /// An index's numbers for elements and words of the record: their slot above, the number below,
  /// sorted.
  package private(set) var elementSymbols: [UInt64] = []
  /// What it took to show the record, in bytes looked at.
  package private(set) var loadSteps = 0
  /// Whether a text that somebody looks at was too long to be folded.
  package private(set) var hasUnfolded = false
  private var hasUnfoldedWords = false
  private var hasUnfoldedElements = false
  private var foldedBytesMaximum = Int.max
  private var loadStepsMaximum = Int.max
  /// The bytes a run may still look at.
  package var stepsLeft = 0
  var arena = ByteArena()
  /// Texts inside lists and entries in the forms in which they are compared, by where the text lies and
  /// the form: each is folded once, however many predicates look at it.
  private var folds: [UInt: ValueView] = [:]
  private var foldArena = ByteArena()
  private var slotCapacity: Int

  /// A view of nothing.
  package init() {
    slotCapacity = 16
    slots = .allocate(capacity: slotCapacity)
    slots.initialize(repeating: ValueView(), count: slotCapacity)
  }

  deinit {
    slots.deallocate()
  }

  /// Forgets the record it showed.
  package mutating func clear() {
    for slot in filled { slots[Int(slot)] = ValueView() }
    filled.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    elementSymbols.removeAll(keepingCapacity: true)
    arena.reset()
    (hasUnfolded, hasUnfoldedWords, hasUnfoldedElements) = (false, false, false)
    loadSteps = 0
    guard !folds.isEmpty else { return }
    folds.removeAll(keepingCapacity: folds.count < 1024)
    foldArena.reset()
  }

  /// Shows a record to those who asked `table` for slots. Takes about 10 ns a field plus a copy.
  /// What cannot be read (a record is checked when it is saved) is as if it were not there.
  /// - Parameters:
  ///   - foldedBytesMaximum: a longer text is not folded, and a run that looks at it fails.
  ///   - stepsMaximum: what it may take; texts beyond that are not folded either.
  package mutating func load(
    _ record: EncodedRecord, _ system: SystemFields, _ table: borrowing FieldTable,
    foldedBytesMaximum: Int = .max, stepsMaximum: Int = .max
  ) {
    clear()
    self.foldedBytesMaximum = foldedBytesMaximum
    loadStepsMaximum = stepsMaximum
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

  /// Sets the number an index has for the value of a slot.
  @inline(__always)
  package mutating func setSymbol(_ symbol: UInt32, ofSlot slot: UInt16) {
    slots[Int(slot)].symbol = symbol
  }

  /// Sets the numbers an index has for elements and words, in any order.
  package mutating func setElementSymbols(_ symbols: [UInt64]) {
    elementSymbols = symbols.sorted()
  }

  /// The place of the first element of `slot` with at least this number.
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

  /// A reference to what `name` names.
  private mutating func text(of name: String) -> ValueView {
    let bytes = arena.allocate(name.utf8.count)
    _ = bytes.initialize(fromContentsOf: name.utf8)
    return ValueView(.reference, start: UnsafePointer(bytes.baseAddress), count: bytes.count)
  }

  @inline(__always)
  private mutating func fill(_ slot: UInt16, _ value: ValueView) {
    // NB: a record that names a field twice is refused when saved; here the later one would win.
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
      if form.kind == .unfolded { hasUnfoldedWords = true } else { texts.append(form) }
    }
    guard let forms = table.forms(ofField: key) else { return }
    fill(forms.0, value)
    if forms.1 != 0 { fill(forms.1, loaded(value, TextOptions(rawValue: 1))) }
    if forms.2 != 0 { fill(forms.2, loaded(value, TextOptions(rawValue: 2))) }
    if forms.3 != 0 { fill(forms.3, loaded(value, TextOptions(rawValue: 3))) }
  }

  /// The form of a value that goes into a slot; counted as loading.
  private mutating func loaded(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text else { return value }
    guard isFoldable(value) else { return ValueView(.unfolded, bits: 0) }
    let steps = TextFold.steps(for: value.buffer)
    guard loadSteps <= loadStepsMaximum - steps else {
      hasUnfolded = true
      return ValueView(.unfolded, bits: 0)
    }
    loadSteps += steps
    return folded(value, options)
  }

  private mutating func isFoldable(_ text: ValueView) -> Bool {
    if Int(text.count) > foldedBytesMaximum { hasUnfolded = true }
    return Int(text.count) <= foldedBytesMaximum
  }

  /// Whether a test looks at a text that was too long to be folded, so that nothing is known.
  func isUnknown(_ test: Instruction) -> Bool {
    switch test.operation {
    case .words: hasUnfoldedWords
    // A word or an element that was not folded has no number; whose slot it is makes no difference.
    case .holdsSymbol: hasUnfoldedWords || hasUnfoldedElements
    default: slots[Int(test.slot)].kind == .unfolded
    }
  }

  /// A text in the form in which it is compared under `options`; anything else as it is. The
  /// form lives until the arena is given back.
  mutating func folded(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text, !options.isEmpty else { return value }
    let output = arena.allocate(Int(value.count) * TextFold.growthMax)
    let count = TextFold.fold(value.buffer, options, into: output)
    return ValueView(.text, start: UnsafePointer(output.baseAddress), count: count)
  }

  /// As `folded`, of a text inside a list or an entry of the record; counted as steps. A short text is
  /// folded each time, into memory that the caller gives back.
  mutating func foldedElement(_ value: ValueView, _ options: TextOptions) -> ValueView {
    guard value.kind == .text, !options.isEmpty, let start = value.start else { return value }
    guard value.count > Self.shortTextBytes else {
      stepsLeft -= Int(value.count)
      return folded(value, options)
    }
    guard isFoldable(value) else {
      hasUnfoldedElements = true
      stepsLeft = -1
      return ValueView(.unfolded, bits: 0)
    }
    let key = UInt(bitPattern: start) << 2 | UInt(options.rawValue)
    if let known = folds[key] { return known }
    stepsLeft -= TextFold.steps(for: value.buffer)
    let mark = arena.mark
    defer { arena.release(to: mark) }
    let form = folded(value, options).buffer
    let kept = foldArena.allocate(form.count)
    _ = kept.initialize(fromContentsOf: form)
    let view = ValueView(.text, start: UnsafePointer(kept.baseAddress), count: kept.count)
    folds[key] = view
    return view
  }

  /// Folding such a text takes less than looking its form up.
  private static let shortTextBytes = 32
}

extension ValueView {
  fileprivate init(_ kind: ValueKind, _ time: Timestamp) {
    self.init(kind, bits: UInt64(bitPattern: time.microseconds))
  }
}
