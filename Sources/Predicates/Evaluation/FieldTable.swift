// The fields that a set of predicates reads. Each has a small number, its slot, so that a record is scanned
// once, only these fields are stored, and a comparison finds its value by index. A field that is compared
// without case or accents has a further slot for each folded form. An index releases a slot after its
// last predicate is removed; the number is then reused.

import Records

/// The slots of the fields that a set of predicates reads.
package struct FieldTable {
  /// The number of slots ever allocated; every slot is below it. Slots 0 to 4 are the system fields.
  package private(set) var slotCount = SystemField.allCases.count
  /// Whether a predicate uses `self CONTAINS`, so that all texts of a record are loaded.
  package var usesWords = false
  /// Whether a predicate reads the creator or the last modifier.
  package var usesAccounts = false
  /// The slots allocated since `newSlots` was last emptied, for an index that counts references.
  package var newSlots: [UInt16] = []
  /// The maximum count of `newSlots`: the number of slots that the predicate's account can still use.
  package var newSlotsMaximum = Int.max

  private var names = FieldNames()
  private var entrySlots: [EntryPath: UInt16] = [:]
  private var freeSlots: [UInt16] = []
  /// The purpose of each slot, by slot.
  private var purposes = [Purpose](repeating: .unused, count: SystemField.allCases.count)

  private struct EntryPath: Hashable {
    let path: FieldPath
    let options: TextOptions
  }

  /// The purpose of a slot, in 32 bits.
  private struct Purpose: Equatable {
    private let bits: UInt32

    static let unused = Purpose(bits: 0)
    /// A slot that only an index uses.
    static let other = Purpose(bits: 1)
    /// A part of the entries of a field.
    static let entry = Purpose(bits: 2)

    private init(bits: UInt32) { self.bits = bits }

    init(field index: Int, _ options: TextOptions) {
      bits = UInt32(index + 1) << 2 | UInt32(options.rawValue & 3)
    }

    /// The index of a field and one of its forms; `nil` for other purposes.
    var field: (index: Int, options: TextOptions)? {
      bits < 4 ? nil : (Int(bits >> 2) - 1, TextOptions(rawValue: UInt8(bits & 3)))
    }
  }

  /// Creates a table of the system fields.
  package init() {}

  /// The largest number of slots, including those of the system fields.
  package static let slotsMaximum = Int(UInt16.max)

  /// The number of slots that can still be allocated.
  package var freeSlotCount: Int { Self.slotsMaximum - slotCount + freeSlots.count }

  /// The memory in use, in bytes.
  package var byteCount: Int {
    names.byteCount + purposes.capacity * MemoryLayout<Purpose>.stride
      + (freeSlots.capacity + newSlots.capacity) * MemoryLayout<UInt16>.stride
  }

  /// Returns the slot of a path under `options`, allocating it if there is none.
  /// - Throws: `limitExceeded` if no slot is free; `quotaExceeded` if the account has no slots left.
  package mutating func slot(
    of path: FieldPath, _ options: TextOptions
  ) throws(RecordsError) -> UInt16 {
    switch path {
    case .system(let field):
      if !field.isDate, field != .recordID { usesAccounts = true }
      return UInt16(field.rawValue)
    case .field(let name):
      if let slot = knownSlot(of: name, options) { return slot }
      if !options.isEmpty { _ = try slot(of: path, []) }
      let slot = try newSlot()
      let index = names.set(slot, of: name, options)
      purposes[Int(slot)] = Purpose(field: index, options)
      return slot
    case .entry:
      let key = EntryPath(path: path, options: options)
      if let slot = entrySlots[key] { return slot }
      let slot = try newSlot()
      entrySlots[key] = slot
      purposes[Int(slot)] = .entry
      return slot
    }
  }

  /// Returns the slot of a field's value folded under `options`; `nil` if no predicate reads that form.
  private func knownSlot(of name: FieldKey, _ options: TextOptions) -> UInt16? {
    var text = name.text
    guard let index = text.withUTF8({ names.find($0) }) else { return nil }
    let slot = names.fields[index][options]
    return slot == 0 ? nil : slot
  }

  /// Allocates a slot that no field of a record fills, for an index's own use.
  /// - Throws: the errors of `slot(of:_:)`.
  package mutating func newSlot() throws(RecordsError) -> UInt16 {
    guard newSlots.count < newSlotsMaximum else {
      throw RecordsError(
        .quotaExceeded,
        "The account's subscriptions use too many different fields of this record type.",
        hint: "Delete subscriptions that are not needed, or use fewer fields in their predicates.",
        reason: "subscriptionFields")
    }
    guard freeSlotCount > 0 else {
      throw .limit(
        "Fields used by the subscriptions to one record type", limit: slotCount,
        actual: slotCount + 1)
    }
    let slot = freeSlots.popLast() ?? UInt16(slotCount)
    if Int(slot) == slotCount {
      slotCount += 1
      purposes.append(.other)
    } else {
      purposes[Int(slot)] = .other
    }
    newSlots.append(slot)
    return slot
  }

  /// Returns whether a slot is in use. The slot must not be a system field's.
  package func isUsed(_ slot: UInt16) -> Bool { purposes[Int(slot)] != .unused }

  /// Returns the slot of the field whose folded form is in `slot`; `nil` for any other slot. When a record
  /// is loaded, the folded form is computed from that field's value.
  package func plainSlot(ofForm slot: UInt16) -> UInt16? {
    guard let field = purposes[Int(slot)].field, !field.options.isEmpty else { return nil }
    return names.fields[field.index].slots.0
  }

  /// Releases a slot that no predicate uses. Its number can be reused.
  package mutating func remove(_ slot: UInt16) {
    if let field = purposes[Int(slot)].field {
      names.removeSlot(ofField: field.index, field.options)
    } else if purposes[Int(slot)] == .entry,
      let entry = entrySlots.first(where: { $0.value == slot })
    {
      entrySlots[entry.key] = nil
    }
    purposes[Int(slot)] = .unused
    freeSlots.append(slot)
  }

  /// Returns the slots of a field's forms (see `FieldNames`), by the raw value of `TextOptions`; `nil` if
  /// no predicate reads the field.
  @inline(__always)
  func forms(ofField key: UnsafeBufferPointer<UInt8>) -> (UInt16, UInt16, UInt16, UInt16)? {
    names.find(key).map { names.fields[$0].slots }
  }
}

/// Returns whether `count` bytes at two addresses are equal.
@inline(__always)
package func equal(
  _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
) -> Bool {
  let (first, second) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
  var offset = 0
  while offset + 8 <= count {
    guard
      first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    else { return false }
    offset += 8
  }
  while offset < count {
    guard left[offset] == right[offset] else { return false }
    offset += 1
  }
  return true
}
