import NIOCore
import SyncCore

/// The timers of a replica, and the repeated work of its driver.
struct DriverSchedule {
  private let loop: any EventLoop
  private var timers: [SyncTimer: Scheduled<Void>] = [:]
  private var repeatedTasks: [RepeatedTask] = []
  /// Whether the schedule has ended: later timers are not set, and delayed work must not begin.
  private(set) var isEnded = false
  /// Whether a step of the projections' background work is under way, or the next one is scheduled.
  var isAdvancing = false
  /// How often the driver has performed actions of the replica.
  var performedCount = 0

  init(loop: any EventLoop) {
    self.loop = loop
  }

  /// Sets a timer, in place of the one of this kind that is set. `fire` must call `fired`.
  mutating func set(
    _ timer: SyncTimer, milliseconds: Int, _ fire: @escaping @Sendable () -> Void
  ) {
    timers.removeValue(forKey: timer)?.cancel()
    guard !isEnded else { return }
    timers[timer] = loop.scheduleTask(in: .milliseconds(Int64(milliseconds)), fire)
  }

  /// A timer fired.
  mutating func fired(_ timer: SyncTimer) { timers[timer] = nil }

  /// Runs `work` repeatedly, until the schedule ends.
  mutating func addRepeated(
    after initialDelay: TimeAmount, every interval: TimeAmount,
    _ work: @escaping @Sendable () -> Void
  ) {
    repeatedTasks.append(
      loop.scheduleRepeatedTask(initialDelay: initialDelay, delay: interval) { _ in work() })
  }

  /// Cancels all timers and repeated work.
  mutating func end() {
    isEnded = true
    for timer in timers.values { timer.cancel() }
    timers = [:]
    for task in repeatedTasks { task.cancel() }
    repeatedTasks = []
  }
}

extension ReplicaDriver {
  /// Runs `work` once after a delay, unless the driver stops before.
  func perform(
    after delay: TimeAmount, _ work: @escaping @Sendable (isolated ReplicaDriver) -> Void
  ) {
    loop.scheduleTask(in: delay) { [weak self] in
      self?.assumeIsolated { driver in
        guard !driver.schedule.isEnded else { return }
        work(driver)
      }
    }
  }

  /// Runs `work` repeatedly, until the driver stops.
  func performRepeatedly(
    after initialDelay: TimeAmount, every interval: TimeAmount,
    _ work: @escaping @Sendable (isolated ReplicaDriver) -> Void
  ) {
    schedule.addRepeated(after: initialDelay, every: interval) { [weak self] in
      self?.assumeIsolated { work($0) }
    }
  }
}
