// A search walks through a list until it has a page of hits. Where in the list the hits are is not known in advance: the
// names of one script are all in one part of it. The forecast assumes that the rest of the list has as many hits as the
// part that was walked.

/// Forecasts, row by row, whether a walk through a list finds a page of hits within a number of rows.
struct WalkForecast {
  /// The hits that are assumed to be found already, so that chance does not end a walk in its first rows.
  private static let hitsAssumed = 3

  /// The number of rows after which another way to the page costs less.
  let rowsMaximum: Int
  private let hitsNeeded: Int
  private var rows = 0
  private var hits = 0

  /// - Parameter hitsNeeded: The number of hits that fill the page.
  init(hitsNeeded: Int, rowsMaximum: Int) {
    self.hitsNeeded = hitsNeeded
    self.rowsMaximum = rowsMaximum
  }

  /// The limit of a statement that returns the rows: a power of two, so that few statements are compiled.
  var statementLimit: Int {
    1 << (Int.bitWidth - max(rowsMaximum, 1).leadingZeroBitCount)
  }

  /// Whether the page is full.
  var isFull: Bool { hits >= hitsNeeded }

  /// Whether the page will be full within the number of rows, or is.
  var isPromising: Bool {
    isFull || (rows < rowsMaximum && rows * hitsNeeded <= (hits + Self.hitsAssumed) * rowsMaximum)
  }

  /// Counts a row.
  mutating func add(isHit: Bool) {
    rows += 1
    if isHit { hits += 1 }
  }
}
