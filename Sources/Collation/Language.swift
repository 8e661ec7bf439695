// The language whose order a list has. It is written in several ways – `sv_SE.UTF-8` in the environment,
// `sv-SE` in a header, or not at all – and each is mapped to one identifier. A language without rules of its
// own is not an error; it is sorted by the default rules.

import CICU

/// A language, with a region or a kind of order if its rules depend on them.
package struct Language: Hashable, Sendable, CustomStringConvertible {
  /// The identifier in the collation library: `sv_SE`, `de__PHONEBOOK`; empty for no language.
  package let identifier: String

  /// The order of no particular language, for `C` and `POSIX`.
  package static let neutral = Language(identifier: "")

  private init(identifier: String) {
    self.identifier = identifier
  }

  /// Parses a name from the environment (`sv_SE.UTF-8@euro`) or from the web (`sv-SE`, `de-u-co-phonebk`).
  /// Any other text means no particular language.
  package init(_ text: String) {
    let name = text.prefix { $0 != "." && $0 != "@" }
    let isName = name.utf8.count <= Self.nameBytesMaximum && name.utf8.allSatisfy(Self.mayBe)
    guard isName, name != "C", name != "POSIX", !name.isEmpty else {
      self = .neutral
      return
    }
    let modifier = text.split(separator: "@", maxSplits: 1).dropFirst().first ?? ""
    let parts = name.split(separator: "_", maxSplits: 1)
    let script: Substring? =
      switch modifier {
      case "latin": "Latn"
      case "cyrillic": "Cyrl"
      default: nil
      }
    let scripted =
      script.map { ([parts[0], $0] + parts.dropFirst()).joined(separator: "_") } ?? String(name)
    identifier = Self.canonical(scripted.replacing("_", with: "-"))
  }

  /// The environment variables for the language. The first that is set and not empty determines it.
  package static let variables = ["LC_ALL", "LC_COLLATE", "LANG"]

  /// The BCP 47 tag: `sv-SE`; `und` for no particular language.
  package var description: String {
    let tag = ICU.text { icu_get_tag(identifier, $0, $1) }
    return tag.isEmpty ? "und" : tag
  }

  /// The language code without region and kind: `sv`; empty for none.
  var code: String {
    ICU.text { icu_get_language(identifier, $0, $1) }
  }

  // The maximum size of a name, `language-Script-REGION-…`. The longest real names have some forty letters.
  private static let nameBytesMaximum = 80

  private static func mayBe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func canonical(_ tag: String) -> String {
    ICU.text { icu_get_identifier(tag, $0, $1) }
  }
}

/// Calls to functions of the library that return a text.
enum ICU {
  /// Returns the text that `body` writes; empty if it fails. The texts requested here are short.
  static func text(_ body: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = body(start, Int32(buffer.count))
      guard count > 0, count < buffer.count else { return "" }
      return String(
        decoding: buffer[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
