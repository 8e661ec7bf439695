// How a benchmark tells what it measured: lines of a name and a number, which scripts/bench gathers.
// Times are of the clock that the programs in C read too.

import Foundation

/// Takes and tells measurements.
package enum Measurement {
  /// What times are told in.
  package enum Unit: String {
    case milliseconds = "ms"
    case microseconds = "us"

    fileprivate var perSecond: Double { self == .milliseconds ? 1e3 : 1e6 }
  }

  /// Prints a result.
  package static func report(_ name: String, _ value: Double) {
    FileHandle.standardOutput.write(Data("\(name) \(String(format: "%.1f", value))\n".utf8))
  }

  /// Prints the median and the 99th percentile; nothing of nothing.
  package static func reportPercentiles(_ name: String, seconds: [Double], in unit: Unit) {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return }
    let percentiles = [("p50", sorted.count / 2), ("p99", sorted.count * 99 / 100)]
    for (label, index) in percentiles {
      report("\(name)_\(label)_\(unit.rawValue)", sorted[index] * unit.perSecond)
    }
  }

  /// Seconds since some moment.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// A line of a process's status, such as `VmRSS`, in KiB; 0 where there is none.
  package static func statusKibibytes(_ field: String, ofProcess process: Int32 = getpid())
    -> Double
  {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return Double(line?.filter(\.isNumber) ?? "") ?? 0
  }
}

/// Why nothing was measured.
package struct BenchFailure: Error, CustomStringConvertible {
  /// The reason, in a sentence.
  package let description: String

  /// A failure with its reason.
  package init(_ description: String) {
    self.description = description
  }

  /// Says why on stderr and ends the program.
  package static func end(_ program: String, because error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(program): \(error)\n".utf8))
    exit(1)
  }
}
