/// A question that is asked while statements run: whether they should end.
final class Interruption {
  /// The time between two questions.
  static let interval = Duration.milliseconds(20)
  /// Between two rows that are already here, the question is asked only now and then.
  static let rowsPerCheck = 64

  private let isOver: () -> Bool
  /// Whether the server was asked to cancel the statement, or no more rows were read.
  var isCancelled = false

  init(_ isOver: @escaping () -> Bool) {
    self.isOver = isOver
  }

  /// Whether the statements should end. Once they should, it stays so.
  var isDue: Bool { isCancelled || isOver() }
}
