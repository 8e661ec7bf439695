// One operation of a round. It is drawn before the round begins, from the seed alone. Its target is a number,
// which the round takes modulo the number of contacts, so that a seed always gives the same plan.

/// An operation on one of the devices.
struct Operation: CustomStringConvertible {
  /// The kind of operation.
  enum Kind: String {
    case add, edit, addPhone, delete
    case clash
    case resolve
    case undo
    case addGroup, renameGroup, removeGroup
    case move
    case disconnect, connect, stopBroker, startBroker
    case killAgent, killBroker
    case backUp, restoreAndContinue, rewind
  }

  /// Its position in the round, from 1.
  let number: Int
  let kind: Kind
  /// The device that performs it.
  let device: Int
  /// Selects the contact, group, conflict or field.
  let choice: Int
  /// A second choice: a field, a target, a second device, a delay.
  let other: Int

  var description: String { "\(number). \(kind) on \(device) (\(choice), \(other))" }
}

/// The operations of a round.
struct OperationPlan {
  let operations: [Operation]

  private static let weights: [(kind: Operation.Kind, class: OperationClass, weight: Int)] = [
    (.add, .contacts, 14), (.edit, .contacts, 24), (.addPhone, .contacts, 8),
    (.delete, .contacts, 7), (.clash, .clashes, 8), (.resolve, .resolutions, 6), (.undo, .undo, 5),
    (.addGroup, .groups, 4), (.renameGroup, .groups, 2), (.removeGroup, .groups, 1),
    (.move, .moves, 10), (.disconnect, .absences, 5), (.connect, .absences, 5),
    (.stopBroker, .absences, 1), (.startBroker, .absences, 2), (.killAgent, .kills, 2),
    (.killBroker, .kills, 2), (.backUp, .restores, 2), (.restoreAndContinue, .restores, 2),
    (.rewind, .restores, 1),
  ]

  /// Draws `count` operations of these classes on this number of devices.
  init(
    count: Int, devices: Int, classes: Set<OperationClass>,
    using generator: inout some RandomNumberGenerator
  ) {
    let kinds = Self.weights.filter { classes.contains($0.class) }
    let total = kinds.reduce(0) { $0 + $1.weight }
    var drawn: [Operation] = []
    for number in 1...count {
      var place = Int.random(in: 0..<total, using: &generator)
      let kind = kinds.first { each in
        place -= each.weight
        return place < 0
      }
      drawn.append(
        Operation(
          number: number, kind: kind?.kind ?? .add,
          device: Int.random(in: 0..<devices, using: &generator),
          choice: Int.random(in: 0..<10_000, using: &generator),
          other: Int.random(in: 0..<10_000, using: &generator)))
    }
    operations = drawn
  }
}
