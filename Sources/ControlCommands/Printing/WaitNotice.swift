// A broker that is frozen or far away keeps a command waiting. After two seconds without an answer, the user reads what
// the command waits for.

/// A notice on the terminal while a command waits.
struct WaitNotice: Sendable {
  /// How long a command may be silent.
  static let silence = Duration.seconds(2)

  /// What the command waits for.
  let text: String
  /// The time before the notice.
  var delay = silence
  /// Shows a text in place of the former one; an empty text removes it.
  let show: @Sendable (String) -> Void

  /// Returns the result of `body`, and shows the notice meanwhile if that takes long.
  /// - Throws: the error of `body`.
  func during<Result: Sendable>(
    _ body: @Sendable () async throws(ControlFailure) -> Result
  ) async throws(ControlFailure) -> Result {
    // NB: the notice has ended before it is removed, because scopes end in reverse order.
    defer { show("") }
    async let _ = wait()
    return try await body()
  }

  private func wait() async {
    guard (try? await Task.sleep(for: delay)) != nil else { return }
    show(text)
  }
}
