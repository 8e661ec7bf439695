// A change of thousands of contacts ends in one line on a terminal. Scripts always get all rows.

import ArgumentParser

/// The flag that lists the contacts of a change, however many there are.
struct ListingFlags: ParsableArguments, Sendable {
  /// The maximum number of lines that a terminal shows without the flag.
  static let linesMax = 10

  @Flag(
    name: [.customShort("v"), .long],
    help: "List each contact. On a terminal, more than 10 are not listed otherwise.")
  var verbose = false

  /// Whether a list of `count` lines is printed.
  func includes(_ count: Int, in style: Printer.Style) -> Bool {
    verbose || style != .terminal || count <= Self.linesMax
  }
}
