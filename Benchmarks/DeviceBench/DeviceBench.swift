// Measures a device: how fast a new one takes in a whole address book, and how fast one that has it
// answers. Each subcommand prints lines of a name and a value; scripts/bench puts them beside a
// program in C that writes the same rows.

import Foundation

/// The entry; see the usage below.
@main
enum DeviceBench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch (arguments.first, arguments.count) {
      case ("sync", 3):
        try FirstSync(contacts: Int(arguments[1]) ?? 0, state: arguments[2]).measure()
      case ("read", 4):
        try BookReading(agent: arguments[1], state: arguments[2], name: arguments[3]).measure()
      case ("list", 4):
        try ListCommand(agent: arguments[1], control: arguments[2], state: arguments[3]).measure()
      default:
        throw BenchFailure(
          "usage: device-bench sync CONTACTS STATE | read CONTACTSD STATE NAME "
            + "| list CONTACTSD CONTACTSCTL STATE")
      }
    } catch {
      FileHandle.standardError.write(Data("device-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// Why nothing was measured.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Prints a result.
func report(_ name: String, _ value: Double) {
  FileHandle.standardOutput.write(Data("\(name) \(String(format: "%.1f", value))\n".utf8))
}

/// Prints the median and the 99th percentile, in milliseconds.
func reportPercentiles(_ name: String, seconds: [Double]) {
  let sorted = seconds.sorted()
  guard !sorted.isEmpty else { return }
  report("\(name)_p50_ms", sorted[sorted.count / 2] * 1e3)
  report("\(name)_p99_ms", sorted[sorted.count * 99 / 100] * 1e3)
}

/// Seconds of the clock that the programs in C read too.
func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// A line of this process's own status: `VmHWM`, in KiB.
func ownStatus(_ field: String) -> Double {
  let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  for line in text.split(separator: "\n") where line.hasPrefix(field + ":") {
    return Double(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first ?? "")
      ?? 0
  }
  return 0
}
