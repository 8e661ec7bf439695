// Distances on a sphere of the Earth's mean radius, within half a percent of the true ones. Neither
// Foundation nor the C library may be imported here, so sine and cosine are ours: angles come in
// degrees, which reduces them to an eighth of a circle exactly, and a polynomial does the rest.

import Records

/// A circle on the Earth.
struct GreatCircle {
  /// The circle's centre.
  let center: Location
  /// The cosine of the centre's latitude.
  private let cosine: Double
  /// Half the versine of the radius: what a point's is compared with.
  private let bound: Double

  /// The Earth's mean radius.
  static let earthRadiusMetres = 6_371_008.8

  /// The circle of radius `metres` about `center`; the whole Earth beyond half its girth.
  init(center: Location, metres: Double) {
    self.center = center
    cosine = Self.cosine(degrees: center.latitudeDegrees)
    let halfAngle = min(metres / (2 * Self.earthRadiusMetres) * (180 / Double.pi), 90)
    let sine = Self.sine(degrees: halfAngle)
    // NB: beyond the antipode nothing is, so that even a rounded 1 stays within.
    bound = halfAngle >= 90 ? 2 : sine * sine
  }

  /// Reads what `encoded` wrote.
  init(encoded bytes: UnsafeRawPointer) {
    func double(_ index: Int) -> Double {
      Double(bitPattern: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    center = Location(latitudeDegrees: double(0), longitudeDegrees: double(1))
    cosine = double(2)
    bound = double(3)
  }

  /// The circle in 32 bytes.
  var encoded: [UInt8] {
    [center.latitudeDegrees, center.longitudeDegrees, cosine, bound].flatMap { number in
      withUnsafeBytes(of: number.bitPattern) { Array($0) }
    }
  }

  /// Whether the distance of `place` from the centre stands in `relation` to the radius.
  func contains(_ place: Location, _ relation: Relation) -> Bool {
    let latitude = Self.sine(degrees: (place.latitudeDegrees - center.latitudeDegrees) / 2)
    let longitude = Self.sine(degrees: (place.longitudeDegrees - center.longitudeDegrees) / 2)
    let cosines = cosine * Self.cosine(degrees: place.latitudeDegrees)
    let haversine = latitude * latitude + cosines * longitude * longitude
    return switch relation {
    case .less: haversine < bound
    case .lessOrEqual: haversine <= bound
    case .greater: haversine > bound
    default: haversine >= bound
    }
  }

  /// The sine of an angle, within two units of the last place.
  static func sine(degrees: Double) -> Double {
    let turned = degrees.remainder(dividingBy: 360)
    let quadrant = (turned / 90).rounded()
    let rest = (turned - quadrant * 90) * (Double.pi / 180)
    switch Int(quadrant) & 3 {
    case 0: return smallSine(rest)
    case 1: return smallCosine(rest)
    case 2: return -smallSine(rest)
    default: return -smallCosine(rest)
    }
  }

  /// The cosine of an angle.
  static func cosine(degrees: Double) -> Double {
    sine(degrees: degrees.remainder(dividingBy: 360) + 90)
  }

  // The series of both functions; within ±π/4 what is left out is below the last place.
  private static func smallSine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 0.0
    for divisor in stride(from: 16.0, through: 2, by: -2) {
      sum = -square / (divisor * (divisor + 1)) * (1 + sum)
    }
    return angle + angle * sum
  }

  private static func smallCosine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 0.0
    for divisor in stride(from: 17.0, through: 1, by: -2) {
      sum = -square / (divisor * (divisor + 1)) * (1 + sum)
    }
    return 1 + sum
  }
}
