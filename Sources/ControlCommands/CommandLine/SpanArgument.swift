// A duration on the command line: `90m`, `24h`, `7d`, `2w`.

import ArgumentParser

/// A duration from the command line.
struct SpanArgument: ExpressibleByArgument, Sendable {
  /// Its length.
  let seconds: Int64

  private static let units: [Character: Int64] = [
    "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]

  init?(argument: String) {
    guard let unit = argument.last.flatMap({ Self.units[$0] }),
      let count = Int64(argument.dropLast()), count > 0
    else { return nil }
    let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
    guard !isTooLong else { return nil }
    self.seconds = seconds
  }
}
