// Measures the subscription index on a folder of predicates and events and prints one line of JSON. With
// `--verify` it also compares every event with a plain evaluation of every predicate. `--cases` measures
// the worst cases of an index, `--summary` the figures for `make bench`.

import Foundation
import Measuring

/// The main program: `matching-bench DIR [--verify]`, `--cases` or `--summary`.
@main
enum MatchingBench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      if arguments.contains("--cases") { return try WorstCases.measureAll() }
      if arguments.contains("--summary") { return try Summary.measure() }
      guard let folder = arguments.first(where: { !$0.hasPrefix("-") }) else {
        throw BenchFailure("usage: matching-bench DIR [--verify] | --cases | --summary")
      }
      let workload = try Workload(folder: folder)
      let result = try IndexRun(workload).measure()
      if arguments.contains("--verify") { try IndexRun(workload).verify() }
      Output.line(result.json)
    } catch {
      BenchFailure.end("matching-bench", because: error)
    }
  }
}
