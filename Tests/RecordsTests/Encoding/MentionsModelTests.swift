import PredicateWorld
import Records
import Testing

@Suite("T1, I19 a scan of encoded records against decoding them")
struct MentionsModelTests {
  private func scalars(_ value: Value) -> [Value] {
    switch value {
    case .list(let values): values
    case .entries(let entries): entries.flatMap { $0.fields.all.map(\.value) }
    default: [value]
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `the scan finds what the decoded fields name`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let fields = random.fields(upTo: 12)
    let values = fields.all.flatMap { scalars($0.value) }
    var parents: [RecordName] = []
    var assets: [Asset] = []
    for value in values {
      if case .asset(let asset) = value { assets.append(asset) }
      if case .reference(let reference) = value, reference.action == .deleteSelf,
        !parents.contains(reference.record)
      {
        parents.append(reference.record)
      }
    }
    let mentions = EncodedRecord(fields).mentions
    #expect(mentions.assets == assets, "seed \(seed)")
    #expect(fields.assets == assets, "seed \(seed)")
    #expect(mentions.parents == parents, "seed \(seed)")
    for parent in parents {
      let named = Value.reference(Reference(record: parent, action: .deleteSelf))
      let first = fields.all.first { scalars($0.value).contains(named) }
      #expect(fields.field(referencingParent: parent) == first?.key, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `hostile bytes are scanned without reading beyond them`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    for round in 0..<60 {
      var bytes = EncodedRecord(random.fields()).bytes
      for _ in 0..<random.generator.below(6) where !bytes.isEmpty {
        bytes[random.generator.below(bytes.count)] = random.generator.one(of: [
          0, 0x42, 0x7F, 0x80, 0xFF,
        ])
      }
      let mentions = EncodedRecord(stored: bytes).mentions
      #expect(mentions.parents.count <= Limits.parentsPerRecord + 1, "seed \(seed), \(round)")
      #expect(mentions.assets.count <= bytes.count / 34, "seed \(seed), \(round)")
      #expect(mentions.assets.allSatisfy { $0.digest.count == 32 }, "seed \(seed), \(round)")
    }
  }

  @Test(arguments: [-1, 0, 1, 2])
  func `parents are collected up to one more than the limit`(excess: Int) {
    let count = Limits.parentsPerRecord + excess
    let values = (0..<count).map {
      Value.reference(Reference(record: RecordName(stored: "p\($0)"), action: .deleteSelf))
    }
    let mentions = EncodedRecord(["posts": .list(values + values)]).mentions
    #expect(mentions.parents.count == min(count, Limits.parentsPerRecord + 1))
  }
}
