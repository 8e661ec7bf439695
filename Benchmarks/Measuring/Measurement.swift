import Foundation

/// Prints measurements as lines with a name and a number, which scripts/bench collects.
package enum Measurement {
  /// The unit of a printed time.
  package enum Unit: String {
    case milliseconds = "ms"
    case microseconds = "us"

    fileprivate var perSecond: Double { self == .milliseconds ? 1e3 : 1e6 }
  }

  /// Prints a value, rounded to one decimal place.
  package static func report(_ name: String, _ value: Double) {
    FileHandle.standardOutput.write(Data("\(name) \(String(format: "%.1f", value))\n".utf8))
  }

  /// Prints the median and the 99th percentile of `seconds`. Prints nothing if there are none.
  package static func reportPercentiles(_ name: String, seconds: [Double], in unit: Unit) {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return }
    let percentiles = [("p50", sorted.count / 2), ("p99", sorted.count * 99 / 100)]
    for (label, index) in percentiles {
      report("\(name)_\(label)_\(unit.rawValue)", sorted[index] * unit.perSecond)
    }
  }

  /// Returns the seconds of the monotonic clock, which the C programs read too.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Returns a field of a process's `/proc` status, such as `VmRSS`, in KiB; 0 if it is missing.
  package static func statusKibibytes(_ field: String, ofProcess process: Int32 = getpid())
    -> Double
  {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return Double(line?.filter(\.isNumber) ?? "") ?? 0
  }

  /// Returns the processor time of a process in seconds, and with `withChildren` also that of its present child processes
  /// and of those for whose end it has waited; 0 if it is missing.
  package static func processorSeconds(ofProcess process: Int32, withChildren: Bool = false)
    -> Double
  {
    let ticks = statistics(ofProcess: process)?.ticks ?? []
    guard withChildren else { return seconds(ticks.prefix(2)) }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = processes.compactMap { Int32($0) }.compactMap(statistics).filter {
      $0.parent == process
    }
    return seconds(ticks + children.flatMap { $0.ticks.prefix(2) })
  }

  private static func seconds(_ ticks: some Sequence<Double>) -> Double {
    ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Returns the parent of a process, and its clock ticks: in its own code and in the kernel, then those of the children
  /// for whose end it has waited.
  private static func statistics(ofProcess process: Int32) -> (parent: Int32, ticks: [Double])? {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // The second field is the program's name in parentheses, which may contain anything.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
    return (parent, fields[11...14].compactMap { Double($0) })
  }
}

/// The reason why a measurement failed.
package struct BenchFailure: Error, CustomStringConvertible {
  /// The reason, in a sentence.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// Prints the error to standard error and exits with status 1.
  package static func end(_ program: String, because error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(program): \(error)\n".utf8))
    exit(1)
  }
}
