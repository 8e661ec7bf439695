import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Returns what `transform` makes of each element, in order. Parts of a long array are transformed on different threads, at
  /// most one for each processor; this thread is one of them, so the call needs no free thread.
  /// - Throws: the error of the first element, in order, whose transformation fails.
  func concurrentMap<Value: Sendable>(
    _ transform: @Sendable (Element) throws -> Value
  ) throws -> [Value] {
    // Small parts, because the threads do not progress equally.
    let partLength = 32
    guard count >= 2 * partLength else { return try map(transform) }
    let parts = (count + partLength - 1) / partLength
    let results = Mutex([Result<[Value], any Error>?](repeating: nil, count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let slice = self[part * partLength..<Swift.min(count, (part + 1) * partLength)]
      let result = Result { try slice.map(transform) }
      results.withLock { $0[part] = result }
    }
    return try results.withLock { try $0.compactMap { $0 }.flatMap { try $0.get() } }
  }
}
