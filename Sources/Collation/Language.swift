// Whose order a list follows. People say it in three ways – `sv_SE.UTF-8` in their environment,
// `sv-SE` in a header, nothing at all – and all of them come to one identifier. A language nobody
// has rules for is no error: it is sorted as all languages without rules of their own are.

import _FoundationICU

/// A language, and where its rules differ the region or kind of order.
package struct Language: Hashable, Sendable, CustomStringConvertible {
  /// What the collation library calls it: `sv_SE`, `de__PHONEBOOK`; empty for no language.
  package let identifier: String

  /// The order of no language in particular: what `C` and `POSIX` mean.
  package static let neutral = Language(identifier: "")

  private init(identifier: String) {
    self.identifier = identifier
  }

  /// The language that `text` names, in the way of the environment (`sv_SE.UTF-8@euro`) or of the
  /// web (`sv-SE`, `de-u-co-phonebk`). What is no such name means no language in particular.
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

  /// The variables of a person's environment that name it; the first that is set and not empty
  /// counts.
  package static let variables = ["LC_ALL", "LC_COLLATE", "LANG"]

  /// As people write it on the web: `sv-SE`; `und` for no language in particular.
  package var description: String {
    let tag = ICU.text { swift_uloc_toLanguageTag(identifier, $0, $1, 0, $2) }
    return tag.isEmpty ? "und" : tag
  }

  /// The language without region and kind: `sv`; empty for none.
  var code: String {
    ICU.text { swift_uloc_getLanguage(identifier, $0, $1, $2) }
  }

  // A name is `language-Script-REGION-…`; the longest real ones have some forty letters.
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
    ICU.text { swift_uloc_forLanguageTag(tag, $0, $1, nil, $2) }
  }
}

/// Calls into the library that answer with a text.
enum ICU {
  /// What `body` writes, as a text; empty when it fails. The texts asked for here are short.
  static func text(
    _ body: (UnsafeMutablePointer<CChar>, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32
  ) -> String {
    var status = U_ZERO_ERROR
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = body(start, Int32(buffer.count), &status)
      guard status.rawValue <= U_ZERO_ERROR.rawValue, count > 0, count < buffer.count else {
        return ""
      }
      return String(
        decoding: buffer[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
