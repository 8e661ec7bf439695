// Which fields the predicates at hand look at. Each gets a small number, its slot, so that a record
// is taken apart once, only where somebody looks, and a comparison finds its value by an index. A
// field that is compared without case or accents has a slot for that form beside its own. An index
// gives a slot back when its last predicate goes; the number is then given out again.

import Records

/// The slots of the fields that some predicates look at.
package struct FieldTable {
  /// The slots ever given out, so that every slot is below it: 0 to 4 are the system fields.
  package private(set) var slotCount = SystemField.allCases.count
  /// Whether `self CONTAINS` is asked, so that all texts are looked at.
  package var usesWords = false
  /// Whether an account is asked for.
  package var usesAccounts = false
  /// The slots that were made since `newSlots` was emptied, for an index that counts their uses.
  package var newSlots: [UInt16] = []
  /// How many slots may be in `newSlots`: what the account whose predicate is compiled may take.
  package var newSlotsMaximum = Int.max

  private var names = FieldNames()
  private var entrySlots: [EntryPath: UInt16] = [:]
  private var freeSlots: [UInt16] = []
  /// What each slot is for, by slot.
  private var purposes = [Purpose](repeating: .unused, count: SystemField.allCases.count)

  private struct EntryPath: Hashable {
    let path: FieldPath
    let options: TextOptions
  }

  /// What a slot is for, in 32 bits: a form of a field, or none.
  private struct Purpose: Equatable {
    private let bits: UInt32

    static let unused = Purpose(bits: 0)
    /// Something that an index tells apart.
    static let other = Purpose(bits: 1)
    /// A part of a field's entries.
    static let entry = Purpose(bits: 2)

    private init(bits: UInt32) { self.bits = bits }

    init(field index: Int, _ options: TextOptions) {
      bits = UInt32(index + 1) << 2 | UInt32(options.rawValue & 3)
    }

    /// The field's index and the form; `nil` for other purposes.
    var field: (index: Int, options: TextOptions)? {
      bits < 4 ? nil : (Int(bits >> 2) - 1, TextOptions(rawValue: UInt8(bits & 3)))
    }
  }

  /// No fields but the system's.
  package init() {}

  /// The largest number of slots at one time, those of the system fields included.
  package static let slotsMaximum = Int(UInt16.max)

  /// The slots that are still to be had.
  package var freeSlotCount: Int { Self.slotsMaximum - slotCount + freeSlots.count }

  /// The memory it takes.
  package var byteCount: Int {
    names.byteCount + purposes.capacity * MemoryLayout<Purpose>.stride
      + (freeSlots.capacity + newSlots.capacity) * MemoryLayout<UInt16>.stride
  }

  /// The slot of a path under `options`; made if there is none.
  /// - Throws: `limitExceeded` when there are no more slots, `quotaExceeded` when the account may
  ///   make no more.
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

  /// The slot of a field that is in the table.
  private func knownSlot(of name: FieldKey, _ options: TextOptions) -> UInt16? {
    var text = name.text
    guard let index = text.withUTF8({ names.find($0) }) else { return nil }
    let slot = names.fields[index][options]
    return slot == 0 ? nil : slot
  }

  /// A slot that no field of a record fills: a name for whatever else an index tells apart.
  /// - Throws: As `slot(of:_:)`.
  package mutating func newSlot() throws(RecordsError) -> UInt16 {
    guard newSlots.count < newSlotsMaximum else {
      throw RecordsError(
        .quotaExceeded,
        "The account's subscriptions use too many different fields of this record type.",
        hint: "Delete those that are not needed, or look at fewer fields.",
        reason: "subscriptionFields")
    }
    guard freeSlotCount > 0 else {
      throw .limit(
        "Fields that subscriptions of one kind look at", limit: slotCount, actual: slotCount + 1)
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

  /// Whether a slot, which is no system field's, was made and not given back.
  package func isUsed(_ slot: UInt16) -> Bool { purposes[Int(slot)] != .unused }

  /// The slot of the field itself, for the slot of one of its other forms: loading a record fills
  /// the one with the other.
  package func plainSlot(ofForm slot: UInt16) -> UInt16? {
    guard let field = purposes[Int(slot)].field, !field.options.isEmpty else { return nil }
    return names.fields[field.index].slots.0
  }

  /// Gives back a slot that no predicate uses any more. The number may be given out again.
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

  /// The slots of the forms of the field with this key, if a predicate looks at it.
  @inline(__always)
  func forms(ofField key: UnsafeBufferPointer<UInt8>) -> (UInt16, UInt16, UInt16, UInt16)? {
    names.find(key).map { names.fields[$0].slots }
  }
}

/// Whether two runs of bytes are the same.
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
