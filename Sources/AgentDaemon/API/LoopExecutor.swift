// Runs tasks on an event loop. Those of a connection run on its own: otherwise each request, and each event of a stream,
// would change threads several times, which costs more than answering it.

import Glibc
import NIOCore
import NIOPosix

/// A task executor on an event loop.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  /// Creates an executor that runs jobs on `loop`.
  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension LoopExecutor {
  /// A thread with a lower priority than the others, for work that the device must not wait for: reading and preparing
  /// the contacts of imports, and reading large bodies. Two imports at a time take turns, a step of contacts each.
  static let background = LoopExecutor(quietLoop())

  private static func quietLoop() -> any EventLoop {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    // On Linux, this changes the thread, and not the process.
    loop.execute { _ = nice(niceness) }
    return loop
  }

  /// By how much the priority is lower. The thread has a third of the weight of another one that needs a processor.
  private static let niceness: Int32 = 5

  /// Bodies of this size are read in less than ten milliseconds, whatever they contain.
  private static let smallBytes = 64 << 10

  /// Runs `body`, which reads a body of `byteCount` bytes. Other requests do not wait for a large one: it is read on the
  /// thread with a lower priority, one after the other.
  static func reading<Result: Sendable, Failure: Error>(
    _ byteCount: Int, _ body: @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard byteCount > smallBytes else { return try body() }
    return try await onBackground(body)
  }

  private static func onBackground<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await withTaskExecutorPreference(background) { () async throws(Failure) -> Result in
      try body()
    }
  }
}
