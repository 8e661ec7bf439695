// Runs the tasks of a connection on its event loop. Otherwise each request, and each event of a stream, would
// change threads several times, which costs more than answering it.

import NIOCore

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
