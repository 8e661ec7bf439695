import Records
import Testing

@Suite("I19 assets of a record")
struct NamedAssetsTests {
  let one = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 10)
  let two = Asset(digest: Array(repeating: 2, count: 32), sizeBytes: .max)

  func entry(_ fields: Fields) -> Entry {
    Entry(id: EntryID(7), position: Position(stored: "U"), fields: fields)
  }

  @Test func `assets are found in fields, lists and entries, in order`() {
    let fields: Fields = [
      "a": .string("JJJ\n JJJ"), "b": .asset(one), "c": .list([.int64(9), .asset(two)]),
      "d": .entries([entry(["x": .string("y"), "z": .asset(one)])]),
    ]
    #expect(EncodedRecord(fields).assets == [one, two, one])
    #expect(fields.assets == [one, two, one])
  }

  @Test func `a record without assets names none`() {
    let fields: Fields = [
      "bytes": .bytes([0x4A, 0x24, 0x0A, 0x20] + one.digest), "n": .int64(-1),
      "l": .list([.string("x")]), "e": .entries([entry(["v": .string("+46 70")])]),
      "place": .location(Location(latitudeDegrees: 1, longitudeDegrees: 2)),
    ]
    #expect(EncodedRecord(fields).assets.isEmpty)
    #expect(fields.assets.isEmpty)
    #expect(EncodedRecord.empty.assets.isEmpty)
  }

  @Test func `an invalid record is read up to the first error`() {
    var bytes = EncodedRecord(["b": .asset(one), "c": .asset(two)]).bytes
    for count in bytes.indices.reversed() {
      bytes.removeSubrange(count...)
      #expect(EncodedRecord(stored: bytes).assets.count <= 2)
    }
    #expect(EncodedRecord(stored: Array(repeating: 0xFF, count: 99)).assets.isEmpty)
  }

  @Test func `a digest's text is that of sha256sum`() throws {
    let digest = try #require(AssetDigest(bytes: (0..<32).map { UInt8($0 * 8) }))
    #expect(digest.description.hasPrefix("0008101820"))
    #expect(AssetDigest(digest.description) == digest)
    #expect(AssetDigest(digest.description.uppercased()) == nil)
    #expect(AssetDigest("00") == nil)
  }
}
