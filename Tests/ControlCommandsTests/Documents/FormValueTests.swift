// Values of requests through JSON, against the reader of Foundation.

import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 values in JSON")
struct FormValueTests {
  static func random(_ random: inout SeededGenerator, depth: Int) -> FormValue {
    switch random.below(depth > 0 ? 6 : 4) {
    case 0: .null
    case 1: .flag(random.percent(50))
    case 2: .number(Int.random(in: -(1 << 53)...(1 << 53), using: &random))
    case 3: .text(random.hostile(upTo: 6))
    case 4: .list((0..<random.below(4)).map { _ in Self.random(&random, depth: depth - 1) })
    default:
      .object(
        Dictionary(
          (0..<random.below(4)).map { _ in
            (random.hostile(upTo: 3), Self.random(&random, depth: depth - 1))
          }
        ) { first, _ in first })
    }
  }

  /// The value in the types of Foundation's reader.
  private static func plain(_ value: FormValue) -> NSObject {
    switch value {
    case .null: NSNull()
    case .flag(let flag): NSNumber(value: flag)
    case .number(let number): NSNumber(value: number)
    case .text(let text): NSString(string: text)
    case .list(let items): NSArray(array: items.map(plain))
    case .object(let parts):
      NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: parts.map { ($0, plain($1)) }))
    }
  }

  @Test func `a value comes back from JSON as it was`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = FormValue.list([Self.random(&random, depth: 3)])
      let bytes = try JSONEncoder().encode(value)
      #expect(try JSONDecoder().decode(FormValue.self, from: bytes) == value, "seed \(seed)")
    }
  }

  /// The value without the characters that Foundation's reader removes from the beginning of a text.
  private static func withoutMarks(_ value: FormValue) -> FormValue {
    let plain = { (text: String) in
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
    }
    return switch value {
    case .text(let text): .text(plain(text))
    case .list(let items): .list(items.map(withoutMarks))
    case .object(let parts):
      .object(
        Dictionary(parts.map { (plain($0), withoutMarks($1)) }) { first, _ in first })
    default: value
    }
  }

  @Test func `another reader reads the same`() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = Self.withoutMarks(.list([Self.random(&random, depth: 3)]))
      let read = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
      #expect((read as? NSObject) == Self.plain(value), "seed \(seed)")
    }
  }

  @Test func `an object has the values of its keys, and other kinds have none`() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let value = Self.random(&random, depth: 2)
      guard case .object(let parts) = value else {
        #expect(value["x"] == nil, "seed \(seed)")
        continue
      }
      for (key, part) in parts { #expect(value[key] == part, "seed \(seed)") }
      #expect(value.text == nil && value.items.isEmpty && value.isEmpty == parts.isEmpty)
    }
  }

  @Test func `blanks are nothing, and a number is something, also zero`() {
    for text in ["", " ", "\n\t", "\u{A0}", "\u{2003}"] { #expect(FormValue.text(text).isEmpty) }
    for text in ["a", " a ", "\u{200B}", "0"] { #expect(!FormValue.text(text).isEmpty) }
    #expect(!FormValue.number(0).isEmpty)
    #expect(FormValue.null.isEmpty && FormValue.flag(false).isEmpty)
    #expect(!FormValue.flag(true).isEmpty && !FormValue.list([.null]).isEmpty)
  }
}
