// Cells of the globe: each place within a circle is in one of the circle's cells.

import Foundation
import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 places in the index")
struct GlobeCellTests {
  /// Returns the place at a distance and a bearing from `center`, on the sphere of docs/predicates.md.
  private func place(
    from center: Location, metres: Double, bearing: Double
  ) -> (latitude: Double, longitude: Double) {
    let angle = metres / 6_371_008.8
    let latitude = center.latitudeDegrees * .pi / 180
    let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
    let found = asin(max(-1, min(1, sine)))
    let longitude = atan2(
      sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(found))
    return (found * 180 / .pi, center.longitudeDegrees + longitude * 180 / .pi)
  }

  @Test(arguments: 0..<8) func `every place of a circle is in one of at most four cells`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var circles = 0
    for _ in 0..<150 {
      let center = Location(
        latitudeDegrees: Double.random(in: -85...85, using: &random),
        longitudeDegrees: Double.random(in: -180...180, using: &random))
      let metres = pow(10, Double.random(in: -1...6.5, using: &random))
      guard let cover = GlobeCell.cells(around: center, metres: metres) else { continue }
      circles += 1
      #expect((1...4).contains(cover.cells.count))
      #expect((0..<GlobeCell.levelCount).contains(cover.level))
      for step in 0..<24 {
        let far = step % 3 == 0 ? metres : metres * Double.random(in: 0...1, using: &random)
        let (latitude, longitude) = place(
          from: center, metres: far, bearing: Double(step) * .pi / 12)
        let cell = GlobeCell.cell(latitude: latitude, longitude: longitude, level: cover.level)
        #expect(cover.cells.contains(cell), "seed \(seed): \(center), \(far) of \(metres) m")
      }
    }
    #expect(circles > 80)
  }

  @Test func `circles at a pole, over the antimeridian or around half the globe have no cells`() {
    for (latitude, longitude, metres) in [
      (90.0, 0.0, 1.0), (-80, 0, 1), (79.9, 0, 50_000), (0, 180, 1), (0, -179.99, 5000),
      (0, 0, 6_000_000), (70, 0, 1_200_000),
    ] {
      let center = Location(latitudeDegrees: latitude, longitudeDegrees: longitude)
      #expect(GlobeCell.cells(around: center, metres: metres) == nil, "\(center) \(metres)")
    }
    let origin = Location(latitudeDegrees: 0, longitudeDegrees: 0)
    #expect(GlobeCell.cells(around: origin, metres: 0)?.level == GlobeCell.levelCount - 1)
  }

  @Test func `cells of two levels and of two places apart differ`() {
    var cells: Set<UInt64> = []
    for level in 0..<GlobeCell.levelCount {
      for latitude in [-90.0, -1, 1, 90] {
        cells.insert(GlobeCell.cell(latitude: latitude, longitude: 10, level: level))
      }
    }
    #expect(cells.count > 3 * (GlobeCell.levelCount - 4))
    for latitude in [-90.0, 90] {
      for longitude in [-180.0, 180] {
        _ = GlobeCell.cell(latitude: latitude, longitude: longitude, level: 23)
      }
    }
  }

  @Test(arguments: 0..<3) func `circles in the index match the places within them`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var model = IndexModel()
    try model.insertRest()
    let centers = (0..<12).map { _ in
      (
        (Double.random(in: -90...90, using: &random) * 100).rounded() / 100,
        (Double.random(in: -180...180, using: &random) * 100).rounded() / 100
      )
    }
    let function = "distanceToLocation:fromLocation:"
    for number in 0..<120 {
      let (latitude, longitude) = random.one(of: centers)
      let metres = random.one(of: [1, 70, 3000, 90_000, 2_000_000, 9_000_000, 21_000_000])
      let sign = random.one(of: ["<", "<=", "<", ">", ">="])
      let circle = "\(function)(p, location(\(latitude), \(longitude))) \(sign) \(metres)"
      try model.insert(Predicate(number % 5 == 0 ? "\(circle) AND age == 1" : circle))
    }
    for _ in 0..<80 {
      let center = random.one(of: centers)
      let offset = random.one(of: [0, 0.0003, 0.01, 0.4, 9])
      let place = Location(
        latitudeDegrees: max(-90, min(90, center.0 + offset)),
        longitudeDegrees: max(-180, min(180, center.1 - offset)))
      let fields: Fields = ["p": .location(place), "age": .int64(Int64(random.below(2)))]
      model.check(new: (fields, IndexWorld.system), "seed \(seed)")
    }
    #expect(model.matchCount > 100)
  }
}
