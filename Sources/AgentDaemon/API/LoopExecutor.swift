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
  /// the contacts of imports. Two imports at a time take turns, a step of contacts each.
  static let background = LoopExecutor(quietLoop())

  private static func quietLoop() -> any EventLoop {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    // On Linux, this changes the thread, and not the process.
    loop.execute { _ = nice(niceness) }
    return loop
  }

  /// By how much the priority is lower. The thread has a third of the weight of another one that needs a processor.
  private static let niceness: Int32 = 5
}
