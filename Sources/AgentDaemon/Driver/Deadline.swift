// Waiting for one thing, but not for ever: routes wait for a broker's answer, and people for routes.

/// A bound on a wait.
struct Deadline {
  /// How long.
  let seconds: Double

  /// The first thing that comes in `stream`; `nil` when nothing does in time, or the stream ends.
  func first<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
    await withTaskGroup(of: Element?.self) { group in
      group.addTask {
        for await element in stream { return element }
        return nil
      }
      group.addTask {
        // Cancelled when the other has come first, and then nobody looks.
        try? await Task.sleep(for: .seconds(seconds))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}
