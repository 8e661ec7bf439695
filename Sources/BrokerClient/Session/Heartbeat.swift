import NIOCore

/// A timer that detects a broker that no longer answers. It ticks twice per heartbeat interval, which the
/// broker states in its welcome, and counts the ticks since the last received frame.
struct Heartbeat {
  /// The number of ticks without a frame after which the connection counts as lost: two intervals.
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

  /// Counts a tick and returns whether the broker still counts as alive. Pass `false` for `isReading`
  /// while the socket is not read: no frame can arrive then, so the tick does not count.
  mutating func count(isReading: Bool) -> Bool {
    silentBeats += isReading ? 1 : 0
    return silentBeats <= Self.silentBeatsMaximum
  }

  mutating func stop() {
    task?.cancel()
    task = nil
  }
}
