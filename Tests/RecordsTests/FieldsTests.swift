import Records
import Testing

@Suite("B1 fields")
struct FieldsTests {
  @Test func `fields from unsorted pairs are sorted and unique`() {
    let fields = Fields([("b", .int64(1)), ("a", .int64(2)), ("b", .int64(3))])
    #expect(fields.keys == ["a", "b"])
    #expect(fields["b"] == .int64(3))
    #expect(fields["c"] == nil)
  }

  @Test func `setting nil removes a field`() {
    var fields: Fields = ["a": .boolean(true), "b": .boolean(false)]
    fields["a"] = nil
    fields["z"] = nil
    #expect(fields == ["b": .boolean(false)])
  }

  @Test func `a difference applied to the old fields gives the new ones`() {
    let old: Fields = ["a": .int64(1), "b": .int64(2), "c": .int64(3)]
    let new: Fields = ["a": .int64(1), "b": .int64(5), "d": .string("x")]
    let difference = FieldChanges.difference(from: old, to: new)
    #expect(difference.set == ["b": .int64(5), "d": .string("x")])
    #expect(difference.removed == ["c"])
    #expect(difference.applied(to: old) == new)
    #expect(FieldChanges.difference(from: new, to: new).isEmpty)
  }
}
