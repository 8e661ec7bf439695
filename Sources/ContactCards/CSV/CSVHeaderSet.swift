// The names that other programs give the columns of their tables, in the languages in which they write them. A table has the
// names of one program in one language, so a name that two of them use differently means what it means in the set that has
// most of the table's names.

import Contacts
import Records

/// The column names of one program in one language.
struct CSVHeaderSet: Sendable {
  /// The program that writes such tables.
  let program: String
  /// The language of the names (BCP 47).
  let language: String
  private let columns: [Name: CSVColumn]

  /// A folded name, and how often the table has had it so far.
  private struct Name: Hashable, Sendable {
    let text: String
    let occurrence: Int
  }

  /// All sets. Of two sets that fit equally well, the earlier one is used.
  static let all =
    english + german + french + spanish + italian + portuguese + brazilianPortuguese + dutch
    + swedish + polish + japanese

  /// A table with fewer known names may have them from any program.
  private static let namesMinimum = 5

  /// Creates a set.
  /// - Parameter lines: A line for each meaning: `phone:work = Business Phone | …`. A name that stands in a table several times
  ///   with different meanings has its number behind it: `Titre [2]`.
  init(_ program: String, _ language: String, _ lines: String) {
    self.program = program
    self.language = language
    var columns: [Name: CSVColumn] = [:]
    for line in lines.split(separator: "\n") {
      let halves = line.split(separator: " = ", maxSplits: 1)
      precondition(halves.count == 2, "“\(line)” has no names.")
      for name in halves[1].split(separator: " | ") {
        let (text, occurrence) = Self.numbered(String(name))
        let column = CSVColumn(name: text, meaning: String(halves[0]))
        precondition(
          columns[Name(text: Self.folded(text), occurrence: occurrence)] == nil,
          "“\(text)” has two meanings.")
        columns[Name(text: Self.folded(text), occurrence: occurrence)] = column
      }
    }
    self.columns = columns
  }

  private static func numbered(_ name: String) -> (text: String, occurrence: Int) {
    guard name.hasSuffix("]"), let bracket = name.lastIndex(of: "["),
      let number = Int(name[name.index(after: bracket)...].dropLast())
    else { return (name, 1) }
    return (String(name[..<bracket]).trimmingBlanks(), number)
  }

  /// Returns the set with most of a table's names; `nil` if none has many.
  static func set(of names: [String]) -> CSVHeaderSet? {
    let best = counts(of: names).max { $0.count < $1.count }
    return best.flatMap { $0.count >= namesMinimum ? $0.set : nil }
  }

  /// How many of a table's names are in any set.
  static func knownCount(of names: [String]) -> Int {
    counts(of: names).map(\.count).max() ?? 0
  }

  private static func counts(of names: [String]) -> [(set: CSVHeaderSet, count: Int)] {
    // NB: folded once, and not for each set. A table may have millions of columns.
    let looked = names.prefix(namesMaximum).map { Name(text: folded($0), occurrence: 1) }
    return all.map { set in (set, looked.count { set.columns[$0] != nil }) }
  }

  /// The names that are looked at to find the set. No program writes as many.
  private static let namesMaximum = 500

  /// The first column of each name in any set.
  private static let anywhere = all.reduce(into: [Name: CSVColumn]()) { columns, set in
    columns.merge(set.columns) { first, _ in first }
  }

  /// Returns the column of this name in any set.
  static func column(_ name: String) -> CSVColumn? {
    anywhere[Name(text: folded(name), occurrence: 1)]
  }

  /// Returns the column of this name.
  /// - Parameter occurrence: 1 for the first column of this name in a table.
  subscript(name: String, occurrence: Int) -> CSVColumn? {
    columns[Name(text: Self.folded(name), occurrence: occurrence)]
  }

  /// Returns a name for comparisons: programs write different apostrophes, and letters in either case.
  static func folded(_ name: String) -> String {
    name.lowercased().replacing("’", with: "'").trimmingBlanks()
  }
}
