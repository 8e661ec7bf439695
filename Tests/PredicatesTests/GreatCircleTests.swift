// Compares the sines and cosines of `GreatCircle` with those of the C library.

import Foundation
import Records
import Testing

@testable import Predicates

@Suite("B1 distances")
struct GreatCircleTests {
  @Test func `sines and cosines agree with the C library`() {
    for step in -7300...7300 {
      let degrees = Double(step) / 10 + 0.013
      let radians = degrees * .pi / 180
      #expect(abs(GreatCircle.sine(degrees: degrees) - sin(radians)) < 3e-15)
      #expect(abs(GreatCircle.cosine(degrees: degrees) - cos(radians)) < 3e-15)
    }
    #expect(GreatCircle.sine(degrees: 90) == 1 && GreatCircle.cosine(degrees: 90) == 0)
  }

  @Test(arguments: [
    ((59.3293, 18.0686), (57.7089, 11.9746), 397_000.0), ((0, 179.9), (0, -179.9), 22_239),
    ((90, 0), (90, 120), 0), ((0, 0), (0, 180), 20_015_115),
  ])
  func `a point is inside a circle slightly larger than its distance and outside a smaller one`(
    one: (Double, Double), other: (Double, Double), metres: Double
  ) {
    let center = Location(latitudeDegrees: one.0, longitudeDegrees: one.1)
    let place = Location(latitudeDegrees: other.0, longitudeDegrees: other.1)
    let wider = GreatCircle(center: center, metres: metres * 1.01 + 1)
    #expect(wider.contains(place, .less) && wider.contains(place, .lessOrEqual))
    #expect(!wider.contains(place, .greater) && !wider.contains(place, .greaterOrEqual))
    guard metres > 0 else { return }
    let narrower = GreatCircle(center: center, metres: metres * 0.99)
    #expect(!narrower.contains(place, .less) && narrower.contains(place, .greater))
  }
}
