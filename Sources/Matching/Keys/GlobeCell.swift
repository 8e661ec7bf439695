// The globe in squares of degrees, in 25 sizes that halve. A circle is filed under the at most four
// squares it touches, of the smallest size that makes them so few.

import Records

/// Squares of degrees.
enum GlobeCell {
  /// The number of sizes; the smallest is about 2.4 m high.
  static let levelCount = 24

  /// The cells that a circle touches; `nil` near a pole, across the antimeridian, or where the
  /// circle is too large for it to be worth while.
  static func cells(
    around point: Location, metres: Double
  ) -> (level: Int, cells: Set<UInt64>)? {
    // A hundredth more, so that rounding never leaves a point of the circle outside.
    let height = metres / 111_194.9 * 1.01 + 1e-7
    let farthest = abs(point.latitudeDegrees) + height
    guard farthest < 80 else { return nil }
    // Up to 80° a degree of longitude is never less than a sixth of one at the equator; what is
    // needed is its length at the circle's latitude farthest from it, found by the chord below.
    let width = height / shortening(at: farthest) * 1.05
    guard width < 45, point.longitudeDegrees - width > -180,
      point.longitudeDegrees + width < 180
    else { return nil }
    var level = levelCount - 1
    while level > 0, size(of: level) < 2 * max(width, height) { level -= 1 }
    var cells: Set<UInt64> = []
    for latitude in [point.latitudeDegrees - height, point.latitudeDegrees + height] {
      for longitude in [point.longitudeDegrees - width, point.longitudeDegrees + width] {
        cells.insert(cell(latitude: latitude, longitude: longitude, level: level))
      }
    }
    return (level, cells)
  }

  /// The cell of a size that holds a place.
  static func cell(latitude: Double, longitude: Double, level: Int) -> UInt64 {
    let size = size(of: level)
    let row = UInt64(((latitude + 90) / size).rounded(.down))
    let column = UInt64(((longitude + 180) / size).rounded(.down))
    return UInt64(level) << 58 | row << 29 | column
  }

  private static func size(of level: Int) -> Double {
    360 / Double(1 << level)
  }

  /// A little less than the cosine of a latitude below 80°: 1 − x²/2 + x⁴/24 − x⁶/720 is never more.
  private static func shortening(at degrees: Double) -> Double {
    let square = (degrees * Double.pi / 180) * (degrees * Double.pi / 180)
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
  }
}
