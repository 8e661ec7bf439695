// Distances on a sphere by the angle between two vectors. This is equally exact for close and for antipodal
// points.

import Foundation

/// The Earth.
package enum OracleSphere {
  /// The mean radius that docs/predicates.md names.
  private static let radiusMetres = 6_371_008.8

  /// Returns the metres between two locations, each a latitude and a longitude in degrees.
  package static func metres(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
    guard one != other else { return 0 }
    let (a, b) = (vector(one), vector(other))
    let across = [
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
    ]
    let along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return radiusMetres * atan2(across.map { $0 * $0 }.reduce(0, +).squareRoot(), along)
  }

  private static func vector(_ place: (Double, Double)) -> [Double] {
    let (north, east) = (place.0 * .pi / 180, place.1 * .pi / 180)
    return [cos(north) * cos(east), cos(north) * sin(east), sin(north)]
  }
}
