import Records

/// Grids of square cells, in degrees, that divide the globe at levels of halving size. A circle is filed
/// under the cells that it overlaps, at most four, at the finest level that allows this.
enum GlobeCell {
  /// The number of levels. Cells of the last one are about 4.8 m high.
  static let levelCount = 24

  /// Returns the cells that a circle overlaps; `nil` if it is near a pole, crosses the antimeridian or
  /// is too large for cells to be selective.
  static func cells(
    around point: Location, metres: Double
  ) -> (level: Int, cells: Set<UInt64>)? {
    // One percent more, so that rounding leaves no point of the circle outside.
    let height = metres / 111_194.9 * 1.01 + 1e-7
    let farthest = abs(point.latitudeDegrees) + height
    guard farthest < 80 else { return nil }
    // A degree of longitude is shortest at the circle's latitude farthest from the equator. Up to 80°
    // it is never less than a sixth of a degree at the equator.
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

  /// Returns the cell of a level that contains a location.
  static func cell(latitude: Double, longitude: Double, level: Int) -> UInt64 {
    let size = size(of: level)
    let row = UInt64(((latitude + 90) / size).rounded(.down))
    let column = UInt64(((longitude + 180) / size).rounded(.down))
    return UInt64(level) << 58 | row << 29 | column
  }

  private static func size(of level: Int) -> Double {
    360 / Double(1 << level)
  }

  /// A lower bound of the cosine of a latitude below 80°, by its Taylor series, whose partial sum
  /// 1 − x²/2 + x⁴/24 − x⁶/720 is never above the cosine.
  private static func shortening(at degrees: Double) -> Double {
    let square = (degrees * Double.pi / 180) * (degrees * Double.pi / 180)
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30))
  }
}
