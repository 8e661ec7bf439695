// The worst cases of an index: all subscriptions on one value, all with a one-sided range, prefixes of
// every length, only negative conditions, very long lists and texts. Also measured is the growth to ten
// times the subscriptions with the same number of matches.

import Foundation
import Records

/// Generated worst-case workloads.
enum WorstCases {
  private struct Case {
    let name: String
    let texts: [String]
    let events: [Fields]
  }

  /// Measures all workloads and prints a line for each.
  static func measureAll() throws {
    for make in [hotKey, thresholds, prefixes, negatives, longList, longText, words] {
      let workload = make()
      let result = try IndexRun(Workload(workload.texts, workload.events)).measure()
      Output.line("\(workload.name): \(result.json)")
    }
    for count in [1_000, 10_000, 100_000, 1_000_000] {
      let result = try IndexRun(sameMatches(among: count)).measure()
      Output.line("\(count) at 100 matches: \(result.json)")
    }
  }

  private static func events(_ count: Int, _ fields: (Int) -> Fields) -> [Fields] {
    (0..<count).map(fields)
  }

  /// 100,000 subscriptions on one city, each with another rank.
  private static func hotKey() -> Case {
    Case(
      name: "100 k on one key",
      texts: (0..<100_000).map {
        "city == 'Hot' AND state == 's\($0 % 1000)' AND age > \($0 % 90)"
      },
      events: events(200) {
        ["city": .string("Hot"), "state": .string("s\($0)"), "age": .int64(50)]
      })
  }

  /// 1,000,000 one-sided ranges on one field; an event matches 0.1 % of them.
  private static func thresholds() -> Case {
    Case(
      name: "1 M one-sided ranges",
      texts: (0..<1_000_000).map { "rank > \(($0 &* 7919) % 1_000_000)" },
      events: events(200) { ["rank": .int64(Int64(500 + $0 * 5))] })
  }

  /// 1,000,000 different prefixes of 32 lengths.
  private static func prefixes() -> Case {
    Case(
      name: "1 M prefixes of 32 lengths",
      texts: (0..<1_000_000).map { number in
        let digits = String(number &* 2_654_435_761 % 1_000_003)
        let text = digits + String(repeating: "x", count: 32)
        return "name BEGINSWITH '\(text.prefix(1 + number % 32))'"
      },
      events: events(200) { ["name": .string("\($0 * 4099)" + String(repeating: "x", count: 40))] })
  }

  /// 10,000 subscriptions with only negative conditions, nearly all of which match every event.
  private static func negatives() -> Case {
    Case(
      name: "10 k only negative",
      texts: (0..<10_000).map { "NOT city == 'c\($0)' AND age != \($0)" },
      events: events(200) { ["city": .string("c\($0)"), "age": .int64(Int64($0))] })
  }

  /// A list of 10,000 elements, 100,000 subscriptions to one element each.
  private static func longList() -> Case {
    Case(
      name: "list of 10 k elements", texts: (0..<100_000).map { "ANY tags == 't\($0)'" },
      events: events(20) { number in
        ["tags": .list((0..<10_000).map { .string("t\($0 * 50 + number)") })]
      })
  }

  /// A text of 1 MB, 10,000 subscriptions to a fragment each.
  private static func longText() -> Case {
    Case(
      name: "text of 1 MB", texts: (0..<10_000).map { "note CONTAINS 'needle\($0)'" },
      events: events(20) { number in
        let line = "some words around it \(number), needle\(number * 7) "
        return ["note": .string(String(repeating: line, count: (1 << 20) / line.utf8.count - 8))]
      })
  }

  /// 100,000 subscriptions to a word each.
  private static func words() -> Case {
    Case(
      name: "100 k words", texts: (0..<100_000).map { "self CONTAINS 'word\($0)'" },
      events: events(200) { number in
        ["note": .string((0..<20).map { "word\(number * 20 + $0)" }.joined(separator: " "))]
      })
  }

  /// Returns a workload in which each event matches 100 subscriptions, regardless of their number: the
  /// added subscriptions ask for values that no event has.
  static func sameMatches(among count: Int) -> Workload {
    Workload(
      (0..<count).map { number in
        let city = number % (count / 100)
        return "city == 'city\(city)' AND rank > \(-number) AND label != 'l\(number)'"
      },
      events(2000) { number in
        [
          "city": .string("city\(number &* 7919 % (count / 100))"), "age": .int64(40),
          "label": .string("home"), "state": .string("s\(number % 50)"), "rank": .int64(7),
        ]
      })
  }
}
