// The order of numbers, dates and texts, compared with exact arithmetic in 128 bits.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 the order of values")
struct ValueOrderTests {
  private static let numbers: [Value] =
    NastyValues.wholes.map(Value.int64)
    + [0x1p53, -0x1p53, 0x1p63, -0x1p63, 0x1p63.nextDown, -0x1p63.nextUp, 0x1p53 + 2].map(
      Value.double) + [-1.5, -0.0, 0, 0.5, 1, 2.5, 18, 1.25, 17.75].map(Value.double)

  private func order(_ left: Value, _ right: Value) -> ValueOrder? {
    left.withView { left in right.withView { left.order(to: $0) } }
  }

  /// The number times four, which is a whole number for all `numbers`.
  private func quadruple(_ value: Value) -> Int128 {
    switch value {
    case .int64(let number): Int128(number) * 4
    case .double(let number): Int128(number * 4)
    default: 0
    }
  }

  @Test func `whole and real numbers are ordered as their exact values`() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (one, other) = (quadruple(left), quadruple(right))
        let expected: ValueOrder = one < other ? .before : one == other ? .same : .after
        #expect(order(left, right) == expected, "\(left) \(right)")
        #expect(order(right, left) == expected.reversed, "\(left) \(right)")
      }
    }
  }

  @Test func `extreme numbers are outside of all others`() {
    for number in Self.numbers {
      #expect(order(number, .double(.greatestFiniteMagnitude)) == .before)
      #expect(order(number, .double(-.greatestFiniteMagnitude)) == .after)
    }
    #expect(order(.double(.leastNonzeroMagnitude), .int64(0)) == .after)
    #expect(order(.int64(0), .double(-.leastNonzeroMagnitude)) == .after)
    #expect(order(.int64(1), .double(.leastNonzeroMagnitude)) == .after)
  }

  @Test func `texts are ordered by their bytes, and a beginning is before the whole`() {
    var random = SeededGenerator(seed: 21)
    let texts = (0..<60).map { _ in NastyTexts.text(&random) }
    for left in texts {
      #expect(order(.string(left), .string(left + "\u{0}")) == .before)
      for right in texts {
        let isBefore = left.utf8.lexicographicallyPrecedes(right.utf8)
        let expected: ValueOrder =
          isBefore ? .before : left.utf8.elementsEqual(right.utf8) ? .same : .after
        #expect(order(.string(left), .string(right)) == expected, "\(left) \(right)")
      }
    }
  }

  @Test func `values of two classes, and of classes without an order, have none`() {
    let place = Location(latitudeDegrees: 1, longitudeDegrees: 2)
    let values: [Value] = [
      .string("1"), .int64(1), .date(Timestamp(microseconds: 1)), .bytes([1]), .location(place),
      .list([.int64(1)]), .reference(Reference(record: RecordName(stored: "1"), action: .none)),
    ]
    for (index, left) in values.enumerated() {
      for (other, right) in values.enumerated() {
        let isOrdered = index == other && index < 3
        #expect((order(left, right) == .same) == isOrdered, "\(left) \(right)")
        #expect((order(left, right) == nil) != isOrdered, "\(left) \(right)")
      }
    }
  }

  @Test func `each of four relations holds for its orders, and any other relation for none`() {
    let table: [(Relation, [ValueOrder])] = [
      (.less, [.before]), (.lessOrEqual, [.before, .same]), (.greater, [.after]),
      (.greaterOrEqual, [.same, .after]),
    ]
    for (relation, orders) in table {
      for order in [ValueOrder.before, .same, .after] {
        #expect(order.satisfies(relation) == orders.contains(order))
        #expect(relation.mirrored.map(order.reversed.satisfies) == orders.contains(order))
      }
    }
    for relation in Relation.allCases where !table.contains(where: { $0.0 == relation }) {
      #expect([ValueOrder.before, .same, .after].allSatisfy { !$0.satisfies(relation) })
    }
  }
}
