// P4 for `make bench`: a line with a name and a number for each figure. The plain scan of all predicates
// and the index are measured in the same run. The subscriptions resemble an address book's: mostly a city,
// a surname or a company with Zipf-like frequencies, often combined with a state, an age range or a label.

import Foundation
import Matching
import Records

/// Measures the figures of P4.
enum Summary {
  /// Measures and prints all figures.
  static func measure() throws {
    let workload = addressBook(subscriptions: 100_000, events: 400)
    let result = try IndexRun(workload).measure()
    line("matching_100000_us", result.meanMicroseconds)
    line("matching_100000_matches", Double(result.matches) / Double(result.events))
    line("matching_100000_bytes", result.bytesPerSubscription)
    let scan = Workload(
      workload.subscriptions.map(\.text), Array(workload.events.prefix(20)))
    line("matching_100000_scan_us", try IndexRun(scan).scanTime())
    try measureGrowth()
  }

  /// Measures the same matches among ten times the subscriptions, and the cost of the memory accesses
  /// alone. The measurements alternate, because the speed of a shared machine changes.
  private static func measureGrowth() throws {
    let counts = [100_000, 1_000_000]
    let runs = counts.map { IndexRun(WorstCases.sameMatches(among: $0)) }
    for (count, run) in zip(counts, runs) {
      line("matching_\(count)_insert_us", try run.insertTime())
      line("matching_\(count)_same_bytes", Double(run.byteCount) / Double(count))
    }
    let reaches = runs.map { MemoryReach(bytes: $0.byteCount) }
    var times = counts.map { _ in [Double]() }
    var lineTimes = counts.map { _ in [Double]() }
    for _ in 0..<20 {
      for index in counts.indices {
        times[index].append(runs[index].matchTime())
        lineTimes[index].append(reaches[index].lineNanoseconds())
      }
    }
    for (index, count) in counts.enumerated() {
      line("matching_\(count)_same_us", median(times[index]))
      line("memory_\(count)_same_us", median(lineTimes[index]) / 1000 * 200)
    }
  }

  private static func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
  }

  private static func line(_ name: String, _ number: Double) {
    Output.line("\(name) \(String(format: "%.3f", number))")
  }

  private static func addressBook(subscriptions: Int, events: Int) -> Workload {
    var random = Zipf(seed: 7)
    let texts = (0..<subscriptions).map { _ in
      var terms: [String] = []
      if random.below(10) == 0 {
        let low = random.below(1_000_000)
        terms.append("rank BETWEEN {\(low), \(low + 1000)}")
      } else {
        switch random.below(3) {
        case 0: terms.append("city == 'c\(random.rank(among: 5000))'")
        case 1: terms.append("surname == 's\(random.rank(among: 20_000))'")
        default: terms.append("company == 'f\(random.rank(among: 10_000))'")
        }
      }
      if random.below(2) == 0 { terms.append("state == 't\(random.rank(among: 50))'") }
      if random.below(5) < 2 {
        let low = random.below(80)
        terms.append("age BETWEEN {\(low), \(low + 20)}")
      }
      if random.below(5) == 0 { terms.append("label == 'l\(random.rank(among: 8))'") }
      if random.below(33) == 0 { terms.append("label != 'l\(random.rank(among: 8))'") }
      return terms.joined(separator: " AND ")
    }
    let records = (0..<events).map { _ -> Fields in
      [
        "city": .string("c\(random.rank(among: 5000))"),
        "surname": .string("s\(random.rank(among: 20_000))"),
        "company": .string("f\(random.rank(among: 10_000))"),
        "state": .string("t\(random.rank(among: 50))"),
        "label": .string("l\(random.rank(among: 8))"),
        "age": .int64(Int64(random.below(100))), "rank": .int64(Int64(random.below(1_000_000))),
        "zip": .int64(Int64(random.below(100_000))),
      ]
    }
    return Workload(texts, records)
  }
}

/// A reproducible random source that prefers low ranks, as the frequencies of names and towns do.
private struct Zipf {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  /// Returns a rank below `count`. Rank r is about 1/(r + 1) times as frequent as rank 0.
  mutating func rank(among count: Int) -> Int {
    let share = Double(below(1 << 30)) / Double(1 << 30)
    return min(count - 1, Int(exp(share * log(Double(count) + 1)) - 1))
  }
}
