import NIOCore

/// A timer that detects a dead broker. It ticks twice in each heartbeat interval of the welcome, and
/// counts the ticks since the last received frame.
struct Heartbeat {
  /// The maximum number of ticks without a frame. At the next tick, after 2 to 2.5 intervals, the connection
  /// counts as lost.
  private static let silentBeatsMaximum = 4

  private var task: RepeatedTask?
  private var silentBeats = 0

  /// Calls `beat` twice per `seconds`, until `stop()`.
  mutating func start(
    on loop: any EventLoop, everySeconds seconds: Int, _ beat: @escaping @Sendable () -> Void
  ) {
    stop()
    silentBeats = 0
    let pause = TimeAmount.milliseconds(Int64(max(seconds, 1)) * 500)
    task = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in beat() }
  }

  /// Notes that a frame was received.
  mutating func heard() {
    silentBeats = 0
  }

  /// Counts a tick and returns whether the broker still counts as alive. While the session does not read the
  /// socket, no frame can arrive: pass `false` for `isReading`, and the tick does not count.
  mutating func count(isReading: Bool) -> Bool {
    silentBeats += isReading ? 1 : 0
    return silentBeats <= Self.silentBeatsMaximum
  }

  mutating func stop() {
    task?.cancel()
    task = nil
  }
}
