import Records
import Testing

@Suite("T1, I19 assets and parents of a record")
struct MentionsTests {
  private func reference(_ name: String, _ action: Reference.Action = .deleteSelf) -> Value {
    .reference(Reference(record: RecordName(stored: name), action: action))
  }

  private func entry(_ fields: Fields) -> Entry {
    Entry(id: EntryID(7), position: Position(stored: "U"), fields: fields)
  }

  @Test func `parents are found in fields, lists and entries, each once`() {
    let fields: Fields = [
      "a": reference("p"), "b": .list([.int64(1), reference("q"), reference("p")]),
      "c": .entries([entry(["x": .string("p"), "y": reference("r")])]), "d": .string("p"),
    ]
    let mentions = EncodedRecord(fields).mentions
    #expect(mentions.parents.map(\.text) == ["p", "q", "r"])
    #expect(mentions.assets.isEmpty)
    #expect(fields.field(referencingParent: RecordName(stored: "q"))?.text == "b")
    #expect(fields.field(referencingParent: RecordName(stored: "r"))?.text == "c")
    #expect(fields.field(referencingParent: RecordName(stored: "s")) == nil)
  }

  @Test func `a reference with the action none has no effect`() {
    let fields: Fields = ["a": reference("p", .none), "b": .list([reference("q", .none)])]
    #expect(EncodedRecord(fields).mentions == .nothing)
    #expect(fields.field(referencingParent: RecordName(stored: "p")) == nil)
  }

  @Test func `assets and parents are found in one scan`() {
    let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 10)
    let fields: Fields = ["photo": .asset(photo), "post": reference("p")]
    let mentions = EncodedRecord(fields).mentions
    #expect(mentions.assets == [photo])
    #expect(mentions.parents.map(\.text) == ["p"])
  }

  @Test func `of too many parents, one more than the limit is collected`() {
    let values = (0..<5000).map { reference("p\($0)") }
    let mentions = EncodedRecord(["posts": .list(values)]).mentions
    #expect(mentions.parents.count == Limits.parentsPerRecord + 1)
  }

  @Test func `an invalid record is read up to the first error`() {
    var bytes = EncodedRecord(["b": reference("p"), "c": .list([reference("q")])]).bytes
    for count in bytes.indices.reversed() {
      bytes.removeSubrange(count...)
      #expect(EncodedRecord(stored: bytes).mentions.parents.count <= 2)
    }
  }

  @Test func `an error in a value names the field`() throws {
    var writer = ByteWriter(reservingBytes: 16)
    writer.field(1) { (field: inout ByteWriter) in
      field.field(1, string: "post")
      field.field(2) { (value: inout ByteWriter) in
        value.field(8) { (reference: inout ByteWriter) in reference.field(1, string: "_p") }
      }
    }
    let record = EncodedRecord(stored: writer.bytes)
    let error = #expect(throws: RecordsError.self) { try record.fields() }
    #expect(error?.code == .invalidArguments && error?.field == "post")
  }
}
