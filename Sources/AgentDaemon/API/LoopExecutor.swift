// Runs a connection's tasks on the connection's own event loop. Otherwise each request would change
// threads four times – to the pool, back to be written, and so for each event – which costs more
// than answering it.

import NIOCore

/// A task executor over an event loop.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  /// An executor that runs jobs on `loop`.
  init(_ loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
