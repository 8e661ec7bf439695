import PredicateWorld
import Testing

@testable import PostgreSQLConnections

@Suite("SQL for PostgreSQL")
struct SQLTranslationTests {
  @Test(arguments: [
    ("SELECT a FROM b WHERE c = ? AND d = ?", "SELECT a FROM b WHERE c = $1 AND d = $2", 2),
    ("VALUES (?2, ?, ?1, ?)", "VALUES ($2, $3, $1, $4)", 4),
    ("VALUES (?12)", "VALUES ($12)", 12),
    ("SELECT '?', \"a?\", 'it''s ?', ?", "SELECT '?', \"a?\", 'it''s ?', $1", 1),
    ("SELECT 1 -- why? it's so\n, ?", "SELECT 1  \n, $1", 1),
    ("SELECT /* ' ? /* */ ?", "SELECT   $1", 1),
    ("SELECT 1 -- the end?", "SELECT 1  ", 0),
    ("a CROSS JOIN b", "a JOIN b", 0), ("a cross\n  join b", "a join b", 0),
    ("CROSS JOINED, across JOIN, 'CROSS JOIN'", "CROSS JOINED, across JOIN, 'CROSS JOIN'", 0),
    ("SELECT 'open ?", "SELECT 'open ?", 0), ("SELECT /* open ?", "SELECT  ", 0), ("", "", 0),
    ("SELECT 'Grüße ?', größe, ?", "SELECT 'Grüße ?', größe, $1", 1),
  ])
  func `a statement is translated`(_ sql: String, _ expected: String, _ count: Int) {
    let translation = SQLTranslation(sql)
    #expect(translation.text == expected)
    #expect(translation.parameterCount == count)
  }

  @Test(arguments: 0..<200)
  func `only parameters, comments and cross joins outside of quotes change`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var sql = ""
    var expected = ""
    var highest = 0
    for _ in 0..<generator.below(30) {
      let (part, translated) = Self.part(&generator, highest: &highest)
      sql += part + " "
      expected += translated + " "
    }
    #expect(SQLTranslation(sql).text == expected)
    #expect(SQLTranslation(sql).parameterCount == highest)
  }

  /// Returns a part of a statement and its translation.
  private static func part(
    _ generator: inout SeededGenerator, highest: inout Int
  ) -> (String, String) {
    let text = String((0..<generator.below(6)).map { _ in generator.one(of: Array("a?é -*/; ")) })
    switch generator.below(8) {
    case 0:
      highest += 1
      return ("?", "$\(highest)")
    case 1:
      let number = 1 + generator.below(20)
      highest = max(highest, number)
      return ("?\(number)", "$\(number)")
    case 2: return quoted(text, "'", &generator)
    case 3: return quoted(text, "\"", &generator)
    case 4: return ("--\(text)'\"\n", " \n")
    case 5: return ("/*\(text.replacing("*", with: ""))'\" -- */", " ")
    case 6: return ("CROSS \n JOIN", "JOIN")
    default:
      let word = generator.one(of: ["SELECT", "cross", "a.b", "1", "->", "(", "-", "/", "größe,"])
      return (word, word)
    }
  }

  private static func quoted(
    _ text: String, _ quote: String, _ generator: inout SeededGenerator
  ) -> (String, String) {
    let other = quote == "'" ? "\"" : "'"
    let inside = generator.percent(50) ? text + quote + quote + other : text + "CROSS JOIN"
    return (quote + inside + quote, quote + inside + quote)
  }
}
