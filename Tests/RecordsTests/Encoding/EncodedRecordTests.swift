import PredicateWorld
import Records
import Testing

@Suite("B1 laws of the record codec")
struct EncodedRecordTests {
  @Test(arguments: 0..<150 as Range<UInt64>)
  func `a random record has the bytes of a second encoder, and is decoded from them`(seed: UInt64)
    throws
  {
    var random = RandomValues(seed: seed)
    let fields = random.fields()
    let record = EncodedRecord(fields)
    #expect(record.bytes == PlainCodec.record(fields), "seed \(seed)")
    #expect(try record.fields() == fields, "seed \(seed)")
    for field in fields.all {
      #expect(try Value(encoded: PlainCodec.value(field.value)) == field.value, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a truncated record has whole fields, or is rejected`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let fields = random.fields()
    let bytes = EncodedRecord(fields).bytes
    var whole: [Int: Int] = [0: 0]
    for count in fields.all.indices {
      let start = Fields(sorted: Array(fields.all[...count]))
      whole[PlainCodec.record(start).count] = count + 1
    }
    for length in 0...bytes.count {
      let decoded = decoded(Array(bytes.prefix(length)))
      if let count = whole[length] {
        #expect(decoded?.all == Array(fields.all.prefix(count)), "seed \(seed), length \(length)")
      } else {
        #expect(decoded == nil, "seed \(seed), length \(length)")
      }
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a record with a flipped bit is rejected, or has one encoding from then on`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var bytes = EncodedRecord(random.fields(upTo: 5)).bytes
    for bit in 0..<8 * bytes.count {
      bytes[bit / 8] ^= 1 << (bit % 8)
      if let fault = fault(of: bytes) { Issue.record("seed \(seed), bit \(bit): \(fault)") }
      bytes[bit / 8] ^= 1 << (bit % 8)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `random bytes, and records with random bytes in them, are rejected or have one encoding`(
    seed: UInt64
  ) {
    var random = RandomValues(seed: seed)
    for round in 0..<100 {
      var bytes = EncodedRecord(random.fields(upTo: 3)).bytes
      let noise = random.bytes(1 + random.generator.below(12))
      let start = random.generator.below(bytes.count + 1)
      let end = min(bytes.count, start + random.generator.below(12))
      bytes.replaceSubrange(start..<end, with: noise)
      for hostile in [bytes, noise] {
        if let fault = fault(of: hostile) { Issue.record("seed \(seed), round \(round): \(fault)") }
      }
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `two records are equal if and only if their bytes are`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let left = random.value()
    var right = random.value()
    if seed.isMultiple(of: 2), case .string(let text) = left { right = .string(text + "") }
    let isSame = PlainCodec.value(left) == PlainCodec.value(right)
    #expect((left == right) == isSame, "seed \(seed)")
    if isSame { #expect(left.hashValue == right.hashValue, "seed \(seed)") }
  }

  @Test(arguments: [-1, 0, 1])
  func `the limits on fields, values and bytes hold exactly`(excess: Int) throws {
    let many = Fields(
      (0..<Limits.fieldsPerRecord + excess).map { (FieldKey(stored: "k\($0)"), .boolean(true)) })
    let list = Value.list(Array(repeating: .boolean(true), count: Limits.valuesPerList + excess))
    let entries = Value.entries(
      (0..<Limits.valuesPerList + excess).map {
        Entry(id: EntryID(UInt128($0)), position: Position(stored: "V"), fields: [:])
      })
    // Key, tags and lengths of a record with one long value take 15 bytes.
    let large = EncodedRecord([
      "a": .bytes(Array(repeating: 7, count: Limits.recordBytes - 15 + excess))
    ])
    #expect(large.bytes.count == Limits.recordBytes + excess)
    for record in [
      EncodedRecord(many), EncodedRecord(["a": list]), EncodedRecord(["a": entries]), large,
    ] {
      if excess > 0 {
        let error = #expect(throws: RecordsError.self) { try record.fields() }
        #expect(error?.code == .limitExceeded)
      } else {
        #expect(try EncodedRecord(record.fields()) == record)
      }
    }
  }

  /// Rejecting is right, and so is a value that survives a second encoding and names in its bytes what
  /// it names decoded.
  private func fault(of bytes: [UInt8]) -> String? {
    let record = EncodedRecord(stored: bytes)
    do throws(RecordsError) {
      let fields = try record.fields()
      let again = EncodedRecord(fields)
      guard try record.canonical() == again else { return "another canonical form" }
      guard again.bytes == PlainCodec.record(fields) else { return "encoded in another way" }
      guard try again.fields() == fields else { return "decoded as something else" }
      guard again.mentions.assets == fields.assets else { return "other assets" }
      return nil
    } catch {
      guard !record.isCanonical else { return "invalid, but known to be canonical" }
      let codes: Set<RecordsError.Code> = [.invalidArguments, .limitExceeded, .incompatibleVersion]
      return codes.contains(error.code) && error.message.hasSuffix(".") ? nil : "\(error.code)"
    }
  }

  private func decoded(_ bytes: [UInt8]) -> Fields? {
    try? EncodedRecord(stored: bytes).fields()
  }
}
