// Templates of notifications: random ones, hostile ones, and the columns of their errors.

import PredicateWorld
import Records
import Testing

@testable import Matching

@Suite("K4 templates of notifications")
struct NotificationTemplateTests {
  private let fields: Fields = [
    "name": .string("{city}}{"), "city": .string("Umeå"), "age": .int64(-30), "score": .double(2.5),
    "ok": .boolean(false), "born": .date(Timestamp(microseconds: 0)),
    "tags": .list([.string("a"), .bytes([1]), .int64(2)]), "blob": .bytes([1, 2]),
    "none": .list([]),
  ]
  private let shown = [
    "name": "{city}}{", "city": "Umeå", "age": "-30", "score": "2.5", "ok": "no",
    "born": "1970-01-01T00:00:00Z", "tags": "a, 2", "blob": "", "none": "", "absent": "",
  ]

  @Test(arguments: 0..<6) func `a template is its texts and the values of its fields in order`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let texts = ["", "a", " ", "é", "👩‍👩‍👧‍👦", "{{", "}}", "}", "{{}}", "\n", "x: "]
    for _ in 0..<150 {
      var (source, expected) = ("", "")
      var keys: [String] = []
      for _ in 0..<random.below(8) {
        let text = random.one(of: texts)
        // NB: a single closing brace before another one would be read as a pair with it.
        guard text != "}" || !source.hasSuffix("}") else { continue }
        source += text
        expected += text == "{{" ? "{" : text == "}}" ? "}" : text == "{{}}" ? "{}" : text
        guard random.percent(60), let key = shown.keys.sorted().randomElement(using: &random)
        else { continue }
        source += text == "}" ? " {\(key)}" : "{\(key)}"
        expected += (text == "}" ? " " : "") + (shown[key] ?? "")
        keys.append(key)
        source += "."
        expected += "."
      }
      guard !hasOddBrace(source) else { continue }
      let template = try NotificationTemplate(source)
      #expect(template.filled(with: fields) == expected, "seed \(seed): \(source)")
      #expect(template.keys.map(\.text) == keys && template.source == source)
    }
  }

  /// Whether three closing braces follow each other, whose grouping depends on what is before them.
  private func hasOddBrace(_ source: String) -> Bool { source.contains("}}}") }

  @Test(arguments: 0..<6) func `a hostile template is parsed or rejected at one of its braces`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "{", "}", "{{", "}}", "{name}", "{ name}", "{1}", "é", "\u{301}", "a", "", "\u{0}",
    ]
    var rejected = 0
    for _ in 0..<300 {
      let source = (0..<random.below(10)).map { _ in random.one(of: pieces) }.joined()
      do throws(RecordsError) {
        let template = try NotificationTemplate(source)
        #expect(template.filled(with: fields).utf8.count <= NotificationLimits.filledBytes)
      } catch {
        rejected += 1
        let column = error.column ?? 0
        guard (1...source.count).contains(column) else {
          Issue.record("seed \(seed): column \(column) of \(source.debugDescription)")
          continue
        }
        let character = source[source.index(source.startIndex, offsetBy: column - 1)]
        #expect(character == "{", "seed \(seed): \(source.debugDescription)")
        #expect(error.message.hasPrefix("Column \(column): "))
      }
    }
    #expect((10..<300).contains(rejected))
  }

  @Test func `a template of 1024 bytes is parsed, one byte more is rejected`() throws {
    let text = String(repeating: "é", count: 512)
    #expect(try NotificationTemplate(text).filled(with: [:]) == text)
    let error = #expect(throws: RecordsError.self) { try NotificationTemplate(text + "x") }
    #expect(error?.code == .limitExceeded)
  }

  @Test(arguments: [4095, 4096, 4097, 8192]) func `a filled text has at most 4096 bytes`(count: Int)
    throws
  {
    let template = try NotificationTemplate("{name}")
    for letter in ["x", "é", "👍"] {
      let name = String(repeating: letter, count: count / letter.utf8.count)
      let filled = template.filled(with: ["name": .string(name)])
      #expect(name.hasPrefix(filled))
      #expect(filled.utf8.count <= 4096 && filled.utf8.count > min(name.utf8.count, 4096) - 4)
    }
  }
}
