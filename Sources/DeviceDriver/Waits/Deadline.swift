/// A limit on a wait for an asynchronous answer.
package struct Deadline {
  /// The maximum duration of the wait.
  package let seconds: Double

  package init(seconds: Double) {
    self.seconds = seconds
  }

  /// Returns the first element of `stream`; `nil` if none arrives in time, the stream ends, or the task is
  /// cancelled.
  package func first<Element: Sendable>(of stream: AsyncStream<Element>) async -> Element? {
    await withTaskGroup(of: Element?.self) { group in
      group.addTask {
        for await element in stream { return element }
        return nil
      }
      group.addTask {
        // An element that comes first cancels the sleep; its result is then not used.
        try? await Task.sleep(for: .seconds(seconds))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}
