import BrokerLinks
import Logging
import NIOCore
import Records

/// What a driver gets from its program.
package struct DriverEnvironment: Sendable {
  /// The loop of the driver and of its connection. The driver uses it as its executor.
  package var loop: any EventLoop
  /// Opens connections to the broker, on `loop`; `nil` for a device that works alone.
  package var connector: (any BrokerConnector)?
  /// Reads the clock.
  package var now: @Sendable () -> Timestamp
  /// The log of the driver.
  package var logger: Logger
  /// Disk space for the outcomes of pending requests; `nil` to reserve none.
  package var reserve: DiskReserve?
  /// What the program does at certain points.
  package var hooks: DriverHooks
  /// How long frames wait for their preparation on another thread, which takes some milliseconds if one is free.
  package var preparationLimit = TimeAmount.milliseconds(200)

  /// Describes an environment.
  package init(
    loop: any EventLoop, connector: (any BrokerConnector)?,
    now: @escaping @Sendable () -> Timestamp = SystemClock.now, logger: Logger,
    reserve: DiskReserve? = nil, hooks: DriverHooks = DriverHooks()
  ) {
    self.loop = loop
    self.connector = connector
    self.now = now
    self.logger = logger
    self.reserve = reserve
    self.hooks = hooks
  }
}
