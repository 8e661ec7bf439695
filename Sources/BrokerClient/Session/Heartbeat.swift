// Whether the other side still lives: a ping twice in the time agreed on, and a count of those since
// anything was heard.

import NIOCore

/// The beats of one connection.
struct Heartbeat {
  /// Beats without a sound after which a broker is taken for dead: twice the agreed time.
  private static let silentBeatsMaximum = 4

  private var task: RepeatedTask?
  private var silentBeats = 0

  /// Calls `beat` twice every so many seconds.
  mutating func start(
    on loop: any EventLoop, everySeconds seconds: Int, _ beat: @escaping @Sendable () -> Void
  ) {
    stop()
    silentBeats = 0
    let pause = TimeAmount.milliseconds(Int64(max(seconds, 1)) * 500)
    task = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in beat() }
  }

  /// Something was heard.
  mutating func heard() {
    silentBeats = 0
  }

  /// Counts a beat, unless nothing can be heard because nothing is read; returns whether the other
  /// side still counts as there.
  mutating func count(isReading: Bool) -> Bool {
    silentBeats += isReading ? 1 : 0
    return silentBeats <= Self.silentBeatsMaximum
  }

  mutating func stop() {
    task?.cancel()
    task = nil
  }
}
