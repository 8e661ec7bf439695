// Tables that fit, whatever is in them.

import Foundation
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("fit of tables")
struct TextTableTests {
  @Test(
    arguments: [
      ("abc", 3), ("", 0), ("é", 1), ("e\u{301}", 1), ("李小龙", 6), ("한국", 4), ("ｆ", 2),
      ("👩‍👩‍👧", 2), ("🇸🇪", 2), ("☎️", 2), ("☎", 1), ("a\u{200B}b", 2), ("ا", 1),
    ])
  func `a character takes as many columns as it does on a terminal`(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test(
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("李小龙", 5, "李小…"), ("李小龙", 4, "李…"),
      ("abc", 1, "…"), ("abc", 0, ""),
    ])
  func `a text is cut at a whole character, with an ellipsis`(
    text: String, limit: Int, cut: String
  ) {
    #expect(TextWidth.cut(text, to: limit) == cut)
    #expect(TextWidth.columns(of: cut) <= max(limit, 0) || cut == text)
  }

  @Test func `a long text is wrapped between words, and a long word anywhere`() {
    #expect(TextWidth.lines(of: "one two three", limit: 7) == ["one two", "three"])
    #expect(TextWidth.lines(of: "abcdefgh ij", limit: 3) == ["abc", "def", "gh", "ij"])
    #expect(TextWidth.lines(of: "李小龙李小龙", limit: 5) == ["李小", "龙李", "小龙"])
    #expect(TextWidth.lines(of: "short", limit: 80) == ["short"])
  }

  @Test(arguments: [20, 40, 80, 200])
  func `no line is wider than the terminal, and ids stay whole`(limit: Int) {
    let id = "0123456789"
    let rows = [
      ["A very long name of a person with many names", "+1 555 010 0100", id],
      ["李小龙李小龙李小龙李小龙", "none", id], ["Bo", "", id],
    ]
    let lines = TextTable(rows, whole: [2]).lines(limit: limit)
    for line in lines {
      #expect(TextWidth.columns(of: line) <= max(limit, 30))
      #expect(line.hasSuffix(id))
    }
    let widths = lines.map { TextWidth.columns(of: $0) }
    #expect(Set(widths).count == 1)
  }

  @Test(arguments: [80, 200])
  func `a sentence at the end is shown whole, below itself if there is no room next to it`(
    limit: Int
  ) {
    let sentence =
      "This device is not registered with the broker, so edits are stored and sent later. To sign "
      + "in: contactsctl signin"
    let rows = [["waiting edits", "0"], ["connection", sentence]]
    let lines = TextTable(rows).wrappedLines(limit: limit)
    #expect(lines[0] == "waiting edits  0")
    #expect(lines.count == (limit == 80 ? 3 : 2))
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= limit })
    let indent = String(repeating: " ", count: 15)
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix(indent) })
    let joined = lines.dropFirst().map { $0.dropFirst(15) }.joined(separator: " ")
    #expect(joined == sentence)
  }

  @Test func `columns before a sentence are truncated only if it would have little room`() {
    let name = String(repeating: "name ", count: 20)
    let lines = TextTable([[name, "one two three"]]).wrappedLines(limit: 40)
    #expect(lines == [TextWidth.cut(name, to: 25) + "  one two three"])
    let sparse = TextTable([["a", "", "x y"], ["b", "", ""]])
    #expect(sparse.wrappedLines(limit: 80) == ["a  x y", "b"])
    #expect(TextTable([]).wrappedLines(limit: 80).isEmpty)
  }

  @Test func `a column of ids is whole without being named`() {
    let id = "01a1fd03-0f97-766f-8eda-3a366f278a75"
    let lines = TextTable([["A long name that gives way", id], ["Bo", ""]]).lines(limit: 50)
    #expect(lines == ["A long name…  \(id)", "Bo"])
  }

  @Test(arguments: ["2026", "now", "2026-11-21", "1999-99-99T99", ""])
  func `what is no moment is shown as it is`(text: String) {
    #expect(LocalTime.shown(text) == text)
  }

  @Test(arguments: ["2026-11-21T08:21:36.112748Z", "2026-11-21T08:21:36Z"])
  func `a moment is shown by the person's clock, to the second`(text: String) {
    let shown = LocalTime.shown(text)
    #expect(shown.count == 19)
    #expect(shown.hasPrefix("2026-11-2") && shown.hasSuffix(":36") && !shown.contains("T"))
  }

  @Test func `a column in which nobody has anything takes no room`() {
    #expect(TextTable([["a", "", "c"], ["aa", "", "d"]]).lines(limit: 80) == ["a   c", "aa  d"])
  }

  @Test(
    arguments: [
      ([:], true, false, true), ([:], false, false, false), (["NO_COLOR": "1"], true, false, false),
      (["NO_COLOR": ""], true, false, true), (["TERM": "dumb"], true, false, false),
      (["FORCE_COLOR": "1"], false, false, true), (["FORCE_COLOR": "0"], true, false, false),
      (["FORCE_COLOR": "1", "TERM": "dumb"], true, false, true),
      (["FORCE_COLOR": "1", "NO_COLOR": "1"], true, false, false),
      (["FORCE_COLOR": "1"], true, true, false), ([:], true, true, false),
      (["CLICOLOR": "0"], true, false, false), (["CLICOLOR": "1"], false, false, false),
      (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true, false, true),
      (["CLICOLOR_FORCE": "1"], false, false, true), (["CLICOLOR_FORCE": "0"], true, false, false),
      (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false, false, false),
    ] as [([String: String], Bool, Bool, Bool)])
  func `colour follows the usual rules`(
    environment: [String: String], isTerminal: Bool, isRefused: Bool, isColored: Bool
  ) {
    let wants = Terminal.wantsColor(
      environment: environment, isTerminal: isTerminal, isRefused: isRefused)
    #expect(wants == isColored)
  }

  @Test func `a person's pager is used, and none where none is wanted`() {
    #expect(Pager.command(environment: ["PAGER": "most"]) == "most")
    #expect(Pager.command(environment: ["PAGER": "cat"]) == nil)
    #expect(Pager.command(environment: ["PAGER": ""]) == nil)
    #expect(Pager.command(environment: ["PAGER": "a", "CONTACTSCTL_PAGER": "b"]) == "b")
    #expect(Pager.command(environment: [:])?.contains("less") == true)
  }

  @Test func `less gets the settings that the user has not made`() {
    let variables = Pager.variables(environment: ["LC_ALL": "C"])
    #expect(variables == ["LC_ALL": "C", "LESS": "FIRX", "LESSCHARSET": "utf-8"])
    let own = ["LESS": "R", "LESSCHARSET": "latin1"]
    #expect(Pager.variables(environment: own) == own)
  }
}

/// A random table, and the widths that its cells take.
private struct RandomTable {
  let rows: [[String]]
  let whole: Set<Int>
  let limit: Int

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let columns = 1 + random.below(5)
    rows = (0...random.below(6)).map { _ in
      (0..<columns).map { _ in PlainText.clean(random.words(upTo: 14)) }
    }
    whole = Set((0..<columns).filter { _ in random.percent(20) })
    limit = 20 + random.below(100)
  }

  /// The natural width of each column.
  var widths: [Int] {
    (0..<rows[0].count).map { column in
      rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
  }

  /// Whether the columns that may be cut have room for eight characters each beside the others.
  var canFit: Bool {
    let least = widths.enumerated().map { whole.contains($0) ? $1 : min($1, 8) }.filter { $0 > 0 }
    return least.reduce(0, +) + 2 * max(0, least.count - 1) <= limit
  }
}

@Suite("properties of tables")
struct TextTablePropertyTests {
  @Test func `no line is wider than the terminal if the columns can shrink to that`() {
    var fitted = 0
    for seed in 0..<400 {
      let random = RandomTable(seed: UInt64(seed))
      let lines = TextTable(random.rows, whole: random.whole).lines(limit: random.limit)
      #expect(lines.count == random.rows.count)
      guard random.canFit else { continue }
      fitted += 1
      for line in lines {
        #expect(TextWidth.columns(of: line) <= random.limit, "seed \(seed): \(line)")
      }
    }
    #expect(fitted > 100)
  }

  @Test func `a table that fits shows every value, and no line ends in a blank`() {
    for seed in 0..<400 {
      let random = RandomTable(seed: UInt64(seed))
      let table = TextTable(random.rows, whole: random.whole)
      let lines = table.lines(limit: table.columns)
      for (line, row) in zip(lines, random.rows) {
        #expect(line.last != " ", "seed \(seed)")
        var rest = line[...]
        for value in row.map({ $0.drop { $0 == " " } }) {
          // Blanks at the end of the last value go with those of the line.
          let shown = value.reversed().drop { $0 == " " }.reversed()
          guard let range = rest.range(of: String(shown)) else {
            if shown.isEmpty { continue }
            Issue.record("seed \(seed): “\(String(shown))” is not in “\(line)”")
            break
          }
          rest = rest[range.upperBound...]
        }
      }
    }
  }

  @Test func `columns begin at the same place in every line, and those in whole are never cut`() {
    for seed in 0..<400 {
      let random = RandomTable(seed: UInt64(seed))
      // A sign that no other value has marks the beginning of a column.
      let rows = random.rows.map { $0.map { "|" + $0 } }
      let lines = TextTable(rows, whole: random.whole).lines(limit: random.limit)
      let places = lines.map { line in
        var width = 0
        var places: [Int] = []
        for character in line {
          if character == "|" { places.append(width) }
          width += TextWidth.columns(of: character)
        }
        return places
      }
      #expect(Set(places).count == 1, "seed \(seed): \(lines)")
      for (line, row) in zip(lines, rows) {
        for column in random.whole {
          let value = row[column].reversed().drop { $0 == " " }.reversed()
          #expect(line.contains(String(value)), "seed \(seed): \(String(value)) in \(line)")
        }
      }
    }
  }

  @Test func `a wrapped table shows every character of the last column, within the terminal`() {
    for seed in 0..<400 {
      let random = RandomTable(seed: UInt64(seed))
      let limit = random.limit + 20
      let lines = TextTable(random.rows).wrappedLines(limit: limit)
      let last = TextTable(random.rows.map { $0.suffix(1) }).wrappedLines(limit: limit)
      let letters = { (lines: [String]) in lines.joined().filter { $0 != " " } }
      #expect(letters(last) == letters(random.rows.map { $0.last ?? "" }), "seed \(seed)")
      #expect(lines.count >= random.rows.count)
      let leading = 8 * (random.widths.count - 1) + 2 * random.widths.count
      guard leading + 40 <= limit else { continue }
      for line in lines { #expect(TextWidth.columns(of: line) <= limit, "seed \(seed): \(line)") }
    }
  }

  @Test func `the room for flexible columns is what the whole ones leave`() {
    for seed in 0..<100 {
      let random = RandomTable(seed: UInt64(seed))
      let table = TextTable(random.rows, whole: random.whole)
      let fixed = random.whole.map { random.widths[$0] }.reduce(0, +)
      let gaps = 2 * (random.widths.count - 1)
      #expect(
        table.roomForFlexible(limit: random.limit) == random.limit - fixed - gaps, "seed \(seed)")
    }
  }

  @Test func `an empty table has no lines and no width`() {
    #expect(TextTable([]).lines(limit: 80).isEmpty)
    #expect(TextTable([]).columns == 0)
    #expect(TextTable([[]]).lines(limit: 80) == [""])
    #expect(TextTable([["", ""]]).lines(limit: 80) == [""])
  }
}
