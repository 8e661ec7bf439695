import Testing

@testable import AddressBook

@Suite("The forecast of a walk through a list")
struct WalkForecastTests {
  /// Walks a list until the forecast ends it, or the list ends. Returns the number of rows.
  private func walk(
    _ forecast: inout WalkForecast, hits: (Int) -> Bool, rows: Int = 100_000
  ) -> Int {
    for row in 0..<rows {
      guard forecast.isPromising && !forecast.isFull else { return row }
      forecast.add(isHit: hits(row))
    }
    return rows
  }

  @Test func `a walk ends when the page is full`() {
    var forecast = WalkForecast(hitsNeeded: 51, rowsMaximum: 10_000)
    #expect(walk(&forecast) { $0 % 30 == 0 } == 50 * 30 + 1)
    #expect(forecast.isFull && forecast.isPromising)
  }

  @Test func `a walk without hits ends after a small part of the rows`() {
    var forecast = WalkForecast(hitsNeeded: 51, rowsMaximum: 10_000)
    #expect(walk(&forecast) { _ in false } == 10_000 * 3 / 51 + 1)
    #expect(!forecast.isFull && !forecast.isPromising)
  }

  @Test func `a walk whose hits become rare ends when they no longer suffice`() {
    var forecast = WalkForecast(hitsNeeded: 51, rowsMaximum: 10_000)
    #expect(walk(&forecast) { $0 < 25 } == 10_000 * 28 / 51 + 1)
    #expect(!forecast.isPromising)
  }

  @Test func `a list that ends early does not contradict the forecast`() {
    var forecast = WalkForecast(hitsNeeded: 51, rowsMaximum: 10_000)
    #expect(walk(&forecast, hits: { $0 == 7 }, rows: 400) == 400)
    #expect(forecast.isPromising && !forecast.isFull)
  }

  @Test func `no walk takes more rows than the maximum`() {
    var forecast = WalkForecast(hitsNeeded: 2, rowsMaximum: 1000)
    #expect(walk(&forecast) { $0 == 0 } == 1000)
    #expect(!forecast.isPromising)
  }

  @Test(arguments: [0, 1, 2, 3, 1000, 1023, 1024, 24_000])
  func `the statement returns more rows than the forecast allows`(rowsMaximum: Int) {
    let limit = WalkForecast(hitsNeeded: 51, rowsMaximum: rowsMaximum).statementLimit
    #expect(limit > rowsMaximum && limit.nonzeroBitCount == 1)
  }
}
