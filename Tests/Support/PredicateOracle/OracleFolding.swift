// Folds text under [c] and [d] by the rule of docs/predicates.md: canonical decomposition, full case folding,
// decomposition again, and removal of nonspacing marks. Decomposition is Foundation's; case folding and
// categories are ICU's. The product has tables and properties of its own.
//
// Unicode folds Cherokee letters to capitals, unlike all other scripts. The page folds them to small letters.

import Foundation
import _FoundationICU

/// The form in which the oracle compares a text.
package struct OracleFolding {
  private let ignoresCase: Bool
  private let ignoresMarks: Bool

  package init(ignoresCase: Bool, ignoresMarks: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresMarks = ignoresMarks
  }

  /// Returns the folded scalars of `text`.
  package func scalars(_ text: String) -> [UInt32] {
    guard ignoresCase || ignoresMarks else { return text.unicodeScalars.map(\.value) }
    var form = text.decomposedStringWithCanonicalMapping
    if ignoresCase { form = Self.caseFolded(form).decomposedStringWithCanonicalMapping }
    let scalars = form.unicodeScalars.map { Self.smallCherokee($0.value, ignoresCase) }
    return ignoresMarks ? scalars.filter { !Self.isNonspacingMark($0) } : scalars
  }

  private static func caseFolded(_ text: String) -> String {
    let source = Array(text.utf16)
    guard !source.isEmpty else { return text }
    var room = [UInt16](repeating: 0, count: source.count * 3)
    var status = U_ZERO_ERROR
    let count = swift_u_strFoldCase(
      &room, Int32(room.count), source, Int32(source.count), UInt32(U_FOLD_CASE_DEFAULT), &status)
    precondition(status == U_ZERO_ERROR || status == U_STRING_NOT_TERMINATED_WARNING)
    return String(decoding: room.prefix(Int(count)), as: UTF16.self)
  }

  private static func smallCherokee(_ scalar: UInt32, _ ignoresCase: Bool) -> UInt32 {
    switch scalar {
    case 0x13A0...0x13EF where ignoresCase: scalar - 0x13A0 + 0xAB70
    case 0x13F0...0x13F5 where ignoresCase: scalar + 8
    default: scalar
    }
  }

  private static func isNonspacingMark(_ scalar: UInt32) -> Bool {
    UInt32(swift_u_charType(UChar32(scalar))) == U_NON_SPACING_MARK.rawValue
  }
}
