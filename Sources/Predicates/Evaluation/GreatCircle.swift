// Distances on a sphere with the Earth's mean radius, within half a percent of the true ones. This target
// imports neither Foundation nor the C library, so it has its own sine and cosine: angles are in degrees,
// which can be reduced exactly to an eighth of a circle, where a polynomial is used.

import Records

/// A circle on the Earth's surface.
struct GreatCircle {
  /// The circle's centre.
  let center: Location
  /// The cosine of the centre's latitude.
  private let cosine: Double
  /// The haversine of the radius, with which that of a point's distance is compared.
  private let bound: Double

  /// The Earth's mean radius.
  static let earthRadiusMetres = 6_371_008.8

  /// Creates a circle of radius `metres` around `center`. From half the Earth's circumference on, it
  /// contains every location.
  init(center: Location, metres: Double) {
    self.center = center
    cosine = Self.cosine(degrees: center.latitudeDegrees)
    let halfAngle = min(metres / (2 * Self.earthRadiusMetres) * (180 / Double.pi), 90)
    let sine = Self.sine(degrees: halfAngle)
    // NB: 2 is above every haversine, so that rounding excludes no location, not even the antipode.
    bound = halfAngle >= 90 ? 2 : sine * sine
  }

  /// Decodes the bytes of `encoded`.
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

  /// Returns whether the distance of `place` from the center has `relation` to the radius.
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

  /// Returns the sine of an angle, within two units in the last place.
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

  /// Returns the cosine of an angle, with the error of `sine(degrees:)`.
  static func cosine(degrees: Double) -> Double {
    sine(degrees: degrees.remainder(dividingBy: 360) + 90)
  }

  // The Taylor series of both functions. Within ±π/4 the omitted terms are below the last place.
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
