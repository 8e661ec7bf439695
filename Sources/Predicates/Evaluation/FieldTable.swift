// Which fields the predicates at hand look at. Each gets a small number, its slot, so that a record
// is taken apart once, only where somebody looks, and a comparison finds its value by an index. A
// field that is compared without case or accents has a slot for that form beside its own.

import Records

/// The slots of the fields that some predicates look at.
package struct FieldTable {
  /// The slots given out: 0 to 4 are the system fields.
  package private(set) var slotCount = SystemField.allCases.count
  /// Whether `self CONTAINS` is asked, so that all texts are looked at.
  package internal(set) var usesWords = false
  /// Whether an account is asked for.
  package private(set) var usesAccounts = false

  /// A field of records, and where its forms go.
  struct Field {
    let keyStart: Int
    let keyCount: Int
    /// The slot by `TextOptions`; 0 for none but the first, as slot 0 is a system field's.
    var slots: (UInt16, UInt16, UInt16, UInt16)
  }

  private(set) var fields: [Field] = []
  private(set) var keyBytes: [UInt8] = []
  private var slots: [SlotKey: UInt16] = [:]
  private var buckets = [UInt16](repeating: 0, count: 16)

  private struct SlotKey: Hashable {
    let path: FieldPath
    let options: TextOptions
  }

  /// No fields but the system's.
  package init() {}

  /// The slot of a path under `options`; made if there is none.
  /// - Throws: `limitExceeded` when there are no more slots.
  package mutating func slot(
    of path: FieldPath, _ options: TextOptions
  ) throws(RecordsError) -> UInt16 {
    if case .system(let field) = path {
      if !field.isDate, field != .recordID { usesAccounts = true }
      return UInt16(field.rawValue)
    }
    if case .field(let name) = path, let slot = knownSlot(of: name, options) { return slot }
    let key = SlotKey(path: path, options: options)
    if let slot = slots[key] { return slot }
    if case .field(let name) = path, !options.isEmpty { _ = try slot(of: .field(name), []) }
    let slot = try newSlot()
    slots[key] = slot
    if case .field(let name) = path { place(slot, of: name, options) }
    return slot
  }

  /// The slot of a field that is in the table, by the way that records take, which is the shorter.
  private func knownSlot(of name: FieldKey, _ options: TextOptions) -> UInt16? {
    var text = name.text
    guard let index = text.withUTF8({ field(named: $0) }) else { return nil }
    let forms = fields[index].slots
    let slot =
      switch options.rawValue {
      case 0: forms.0
      case 1: forms.1
      case 2: forms.2
      default: forms.3
      }
    return slot == 0 ? nil : slot
  }

  /// A slot that no field of a record fills: a name for whatever else an index tells apart.
  /// - Throws: `limitExceeded` when there are no more slots.
  package mutating func newSlot() throws(RecordsError) -> UInt16 {
    guard slotCount < Int(UInt16.max) else {
      throw .limit(
        "Fields that subscriptions of one kind look at", limit: slotCount, actual: slotCount + 1)
    }
    defer { slotCount += 1 }
    return UInt16(slotCount)
  }

  private mutating func place(_ slot: UInt16, of name: FieldKey, _ options: TextOptions) {
    let key = Array(name.text.utf8)
    var index = key.withUnsafeBufferPointer { field(named: $0) }
    if index == nil {
      fields.append(Field(keyStart: keyBytes.count, keyCount: key.count, slots: (0, 0, 0, 0)))
      keyBytes += key
      index = fields.count - 1
      rebuildBuckets()
    }
    guard let index else { return }
    switch options.rawValue {
    case 0: fields[index].slots.0 = slot
    case 1: fields[index].slots.1 = slot
    case 2: fields[index].slots.2 = slot
    default: fields[index].slots.3 = slot
    }
  }

  private mutating func rebuildBuckets() {
    if fields.count * 2 > buckets.count {
      buckets = [UInt16](repeating: 0, count: buckets.count * 2)
    } else {
      for index in buckets.indices { buckets[index] = 0 }
    }
    for (index, field) in fields.enumerated() {
      let key = keyBytes[field.keyStart..<field.keyStart + field.keyCount]
      let hash = key.withUnsafeBufferPointer {
        ByteHash.hash($0.baseAddress, count: $0.count, seed: 0)
      }
      var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
      while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
      buckets[bucket] = UInt16(index + 1)
    }
  }

  /// The field with this key, if anybody looks at it.
  func field(named key: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = ByteHash.hash(key.baseAddress, count: key.count, seed: 0)
    return keyBytes.withUnsafeBufferPointer { names in
      buckets.withUnsafeBufferPointer { buckets in
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] != 0 {
          let field = fields[Int(buckets[bucket]) - 1]
          if field.keyCount == key.count, let start = names.baseAddress,
            let wanted = key.baseAddress,
            equal(start + field.keyStart, wanted, count: key.count)
          {
            return Int(buckets[bucket]) - 1
          }
          bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
      }
    }
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
