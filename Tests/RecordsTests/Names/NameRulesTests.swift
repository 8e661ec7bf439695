import PredicateWorld
import Records
import Testing

@Suite("B1 rules of names, over all characters")
struct NameRulesTests {
  private static let samples: [Unicode.Scalar] =
    (0...0x2FFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

  @Test func `control characters are those of Unicode's category Cc`() {
    let wrong = Self.samples.filter {
      "a\($0)b".hasControlCharacters != ($0.properties.generalCategory == .control)
    }
    #expect(wrong.isEmpty)
    #expect(!"\u{10FFFF}\u{1F600}".hasControlCharacters)
    #expect(!"".hasControlCharacters)
  }

  @Test
  func `a field key begins with an ASCII letter, and continues with digits and underscores too`() {
    for scalar in Self.samples.prefix(0x200) {
      let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
      let isDigit = scalar.isASCII && scalar.properties.numericType == .decimal
      #expect(((try? FieldKey("\(scalar)")) != nil) == isLetter, "\(scalar.value)")
      #expect(((try? RecordType("\(scalar)b")) != nil) == isLetter, "\(scalar.value)")
      let continues = isLetter || isDigit || scalar == "_"
      #expect(((try? FieldKey("a\(scalar)")) != nil) == continues, "\(scalar.value)")
      #expect(((try? RecordType("a\(scalar)b")) != nil) == continues, "\(scalar.value)")
    }
  }

  @Test(arguments: [0, 1, 254, 255, 256])
  func `the length of a name is from 1 to 255 bytes`(count: Int) {
    let text = String(repeating: "x", count: count)
    let fits = (1...255).contains(count)
    #expect(((try? FieldKey(text)) != nil) == fits)
    #expect(((try? RecordType(text)) != nil) == fits)
    #expect(((try? RecordName(text)) != nil) == fits)
    #expect(((try? RecordName(received: text)) != nil) == fits)
    #expect(((try? SubscriptionID(text)) != nil) == fits)
    if count > 1 {
      let wide = "é" + String(repeating: "x", count: count - 2)
      #expect(((try? RecordName(wide)) != nil) == fits)
      #expect(((try? SubscriptionID(wide)) != nil) == fits)
    }
  }

  @Test func `an underscore is reserved at the start and allowed after it`() throws {
    #expect(throws: RecordsError.self) { try RecordName("_") }
    #expect(throws: RecordsError.self) { try SubscriptionID("_a") }
    #expect(try RecordName("a_").text == "a_")
    #expect(try SubscriptionID("a_").text == "a_")
    #expect(try RecordName(received: "_a").text == "_a")
  }

  @Test func `an error quotes a long key only in part, and gives the limit and the length`() {
    let key = #expect(throws: RecordsError.self) {
      try FieldKey(String(repeating: "é", count: 300))
    }
    #expect(
      key?.message.contains("“\(String(repeating: "é", count: 40))” is not a field key") == true)
    let name = #expect(throws: RecordsError.self) {
      try RecordName(String(repeating: "x", count: 256))
    }
    #expect(name?.message == "A record name must have 1 to 255 bytes; this one has 256.")
    let id = #expect(throws: RecordsError.self) { try SubscriptionID("") }
    #expect(id?.field == "id")
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `names and ids are ordered and equal by their bytes`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let texts = (0..<3).map { _ in random.text(upTo: 3) }
    for left in texts + ["\u{E9}"] {
      for right in texts + ["e\u{301}"] {
        let (one, other) = (Array(left.utf8), Array(right.utf8))
        let isLess = one.lexicographicallyPrecedes(other)
        #expect((RecordName(stored: left) < RecordName(stored: right)) == isLess, "seed \(seed)")
        #expect(
          (SubscriptionID(stored: left) < SubscriptionID(stored: right)) == isLess, "seed \(seed)")
        #expect(
          (RecordName(stored: left) == RecordName(stored: right)) == (one == other), "seed \(seed)")
        #expect(
          (SubscriptionID(stored: left) == SubscriptionID(stored: right)) == (one == other),
          "seed \(seed)")
        #expect(left.hasSameBytes(as: right) == (one == other), "seed \(seed)")
      }
    }
  }

  @Test(arguments: [0, 1, 999, 1000, 1_795_231_471_500_000, -5, .min, .max] as [Int64])
  func `a generated name begins with its time in milliseconds`(microseconds: Int64) {
    var random = RandomValues(seed: 1)
    let name = RecordName.generated(
      at: Timestamp(microseconds: microseconds), using: &random.generator)
    let digits = name.text.filter { $0 != "-" }
    #expect(digits.count == 32)
    #expect(UInt64(digits.prefix(12), radix: 16) == UInt64(max(0, microseconds) / 1000) % (1 << 48))
    #expect(Array(digits)[12] == "7")
    #expect("89ab".contains(Array(digits)[16]))
    #expect(Array(name.text).indices.filter { Array(name.text)[$0] == "-" } == [8, 13, 18, 23])
    #expect((try? RecordName(name.text)) == name)
  }
}
