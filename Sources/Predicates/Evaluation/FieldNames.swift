// A hash table of the names of the fields that predicates read, so that the slots of a record's field are
// found by one probe. Names are added and removed with the predicates that use them, and the memory of
// removed names is reused.

import Records

/// Field names, each with the slots of its forms. A field has up to four forms, one for each
/// combination of `TextOptions`: the value itself, and the value with its texts folded.
struct FieldNames {
  /// A field's name and the slots of its forms.
  struct Field {
    fileprivate var keyStart: UInt32
    fileprivate var keyCount: UInt32
    fileprivate var hash: UInt32
    /// The slots of the forms, by the raw value of `TextOptions`. 0 means none; slot 0 belongs to a
    /// system field.
    fileprivate(set) var slots: (UInt16, UInt16, UInt16, UInt16)

    /// The slot of the form under `options`; 0 for none.
    subscript(options: TextOptions) -> UInt16 {
      get {
        switch options.rawValue {
        case 0: slots.0
        case 1: slots.1
        case 2: slots.2
        default: slots.3
        }
      }
      set {
        switch options.rawValue {
        case 0: slots.0 = newValue
        case 1: slots.1 = newValue
        case 2: slots.2 = newValue
        default: slots.3 = newValue
        }
      }
    }

    fileprivate var isUsed: Bool {
      slots.0 != 0 || slots.1 != 0 || slots.2 != 0 || slots.3 != 0
    }
  }

  private(set) var fields: [Field] = []
  private var freeFields: [UInt16] = []
  private var keyBytes: [UInt8] = []
  /// The number of bytes in `keyBytes` that belong to removed fields.
  private var deadByteCount = 0
  private var buckets = [UInt16](repeating: 0, count: 16)

  private static let deadBytesMaximum = 4096

  /// The memory in use, in bytes.
  var byteCount: Int {
    fields.capacity * MemoryLayout<Field>.stride + keyBytes.capacity
      + (buckets.capacity + freeFields.capacity) * MemoryLayout<UInt16>.stride
  }

  /// Returns the index of the field with this name, if a predicate reads it.
  @inline(__always)
  func find(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    let hash = Self.hash(key)
    return keyBytes.withUnsafeBufferPointer { names in
      buckets.withUnsafeBufferPointer { buckets in
        var bucket = Int(hash) & (buckets.count - 1)
        while buckets[bucket] != 0 {
          let field = fields[Int(buckets[bucket]) - 1]
          if field.hash == hash, Int(field.keyCount) == key.count, let start = names.baseAddress,
            let wanted = key.baseAddress,
            equal(start + Int(field.keyStart), wanted, count: key.count)
          {
            return Int(buckets[bucket]) - 1
          }
          bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
      }
    }
  }

  /// Sets the slot of a form of the field `name`. Returns the field's index.
  mutating func set(_ slot: UInt16, of name: FieldKey, _ options: TextOptions) -> Int {
    var text = name.text
    let index = text.withUTF8 { find($0) ?? add($0) }
    fields[index][options] = slot
    return index
  }

  /// Removes the slot of a form, and with the last slot the field.
  mutating func removeSlot(ofField index: Int, _ options: TextOptions) {
    fields[index][options] = 0
    guard !fields[index].isUsed else { return }
    removeBucket(of: index)
    deadByteCount += Int(fields[index].keyCount)
    freeFields.append(UInt16(index))
    if deadByteCount > max(Self.deadBytesMaximum, keyBytes.count / 2) { compactKeys() }
  }

  private mutating func add(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    let field = Field(
      keyStart: UInt32(keyBytes.count), keyCount: UInt32(key.count), hash: Self.hash(key),
      slots: (0, 0, 0, 0))
    keyBytes += key
    let index = freeFields.popLast().map { Int($0) } ?? fields.count
    if index == fields.count { fields.append(field) } else { fields[index] = field }
    // The new field has no slot yet, so `growBuckets` skips it and `enter` adds it afterwards.
    if (fields.count - freeFields.count) * 2 > buckets.count { growBuckets() }
    enter(index)
    return index
  }

  private mutating func enter(_ index: Int) {
    var bucket = Int(fields[index].hash) & (buckets.count - 1)
    while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = UInt16(index + 1)
  }

  private mutating func growBuckets() {
    buckets = [UInt16](repeating: 0, count: buckets.count * 2)
    for index in fields.indices where fields[index].isUsed { enter(index) }
  }

  /// Empties the bucket of a field. Later buckets move into the gap, so that no search ends early.
  private mutating func removeBucket(of index: Int) {
    let mask = buckets.count - 1
    var gap = Int(fields[index].hash) & mask
    while Int(buckets[gap]) != index + 1 { gap = (gap + 1) & mask }
    var next = (gap + 1) & mask
    while buckets[next] != 0 {
      let home = Int(fields[Int(buckets[next]) - 1].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        buckets[gap] = buckets[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    buckets[gap] = 0
  }

  private mutating func compactKeys() {
    var kept: [UInt8] = []
    kept.reserveCapacity(keyBytes.count - deadByteCount)
    for index in fields.indices where fields[index].isUsed {
      let start = Int(fields[index].keyStart)
      fields[index].keyStart = UInt32(kept.count)
      kept += keyBytes[start..<start + Int(fields[index].keyCount)]
    }
    keyBytes = kept
    deadByteCount = 0
  }

  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let hash = ByteHash.hash(key.baseAddress, count: key.count, seed: 0)
    return UInt32(truncatingIfNeeded: hash)
  }
}
