// The fields of single rows, also of those that violate RFC 4180.

import Testing

@testable import ContactCards

@Suite("A2, F2 fields of a row")
struct CSVFieldsTests {
  private static let comma = UInt8(ascii: ",")

  private func fields(_ row: String) -> [String] {
    CSVFields.fields(Array(row.utf8), Self.comma).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `fields are those of a second reader, in every row of quotes and separators`() {
    let signs = ["a", ",", "\"\"", "\"b\"", "\"\"\"\"", "\",\""]
    var rows = [""]
    for _ in 0..<3 { rows += rows.flatMap { row in signs.map { row + $0 } } }
    for row in Set(rows) where isWellFormed(row) {
      let expected = Array(plainRows(row + ",x")[0].dropLast())
      #expect(fields(row) == expected, "\(row)")
    }
  }

  /// Whether each field is either in quotes as a whole or without any.
  private func isWellFormed(_ row: String) -> Bool {
    var rest = row[...]
    while true {
      if rest.first == "\"" {
        rest.removeFirst()
        while let quote = rest.firstIndex(of: "\"") {
          rest = rest[rest.index(after: quote)...]
          guard rest.first == "\"" else { break }
          rest.removeFirst()
        }
      } else {
        rest = rest.drop { $0 != "," && $0 != "\"" }
      }
      guard rest.first == "," else { return rest.isEmpty }
      rest.removeFirst()
    }
  }

  @Test(
    arguments: [
      (#"a,The "Rock" X,b"#, ["a", #"The "Rock" X"#, "b"]),
      (#"a,"The "Rock" X",b"#, ["a", #"The "Rock" X"#, "b"]),
      (#"a,"Rock" X,b"#, ["a", #""Rock" X"#, "b"]), (#"6" pipe,b"#, [#"6" pipe"#, "b"]),
      (#"a,"b,c"#, ["a", #""b"#, "c"]), (#""a,"b",c"#, [#""a"#, "b", "c"]),
      (#"a, "b,c" ,d"#, ["a", "b,c ", "d"]), ("\"\",\"\",\"\"", ["", "", ""]),
    ])
  func `a quote that does not enclose its field is a character of it`(
    row: String, expected: [String]
  ) {
    #expect(fields(row) == expected)
  }

  @Test func `a quoted field goes on until a line closes it`() {
    var fields = CSVFields(separator: Self.comma)
    #expect(fields.take(Array(#"a,"one"#.utf8)) == .open)
    #expect(fields.take(Array(#"he said ""no"", and went"#.utf8)) == .open)
    #expect(fields.take(Array(#"",b"#.utf8)) == .complete)
    #expect(
      fields.all.map { String(decoding: $0, as: UTF8.self) }
        == ["a", "one\nhe said \"no\", and went\n", "b"])
    #expect(!fields.isUnclosed)
  }

  @Test(arguments: [#"b,"two""#, #""b",two"#, #"b, "two",x"#])
  func `a field that begins with a quote shows that an earlier one was never closed`(line: String) {
    var fields = CSVFields(separator: Self.comma)
    #expect(fields.take(Array(#"a,"one"#.utf8)) == .open)
    #expect(fields.take(Array(line.utf8)) == .contradiction)
  }

  @Test(arguments: [(3, ["a", "\"b", "c"]), (2, ["a", "\"b,c"]), (1, ["a", "\"b,c"])])
  func `an unclosed field takes the surplus fields, and only those`(
    columnCount: Int, expected: [String]
  ) {
    var fields = CSVFields(separator: Self.comma, isOneLine: true)
    #expect(fields.take(Array("a,\"b,c".utf8)) == .complete)
    fields.joinUnclosed(columnCount: columnCount)
    #expect(fields.isUnclosed)
    #expect(fields.all.map { String(decoding: $0, as: UTF8.self) } == expected)
  }
}
