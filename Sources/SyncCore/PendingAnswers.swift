/// The questions and orders of callers without an answer, by the numbers of their messages.
struct PendingAnswers: Sendable {
  /// Questions about the past.
  var questions: [UInt64: SyncMachine.Asking] = [:]
  /// The ids of orders.
  var orders: [UInt64: UInt64] = [:]
}
