import NIOCore
import NIOPosix
import Records

/// Connects to a broker on another machine with the ssh client of this one. It needs no open port but that
/// of ssh; the account is the one of the user on the server.
package struct SSHConnector: BrokerConnector {
  /// The time from the start of ssh to the first byte of the broker.
  private static let timeout = TimeAmount.seconds(30)
  /// The time in which ssh should end after its connection did, so that its messages are complete.
  private static let endTimeout = TimeAmount.seconds(1)

  private let destination: SSHDestination
  private let group: any EventLoopGroup
  private let report: @Sendable (ShellText) -> Void

  /// Creates a connector. `group` runs the connections and must outlive them.
  /// - Parameter report: receives what the server's shell prints before the connection opens.
  package init(
    _ destination: SSHDestination, group: any EventLoopGroup,
    report: @escaping @Sendable (ShellText) -> Void
  ) {
    self.destination = destination
    self.group = group
    self.report = report
  }

  package func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let loop = group.next()
    loop.execute { start(on: loop, receive) }
  }

  private func start(on loop: any EventLoop, _ receive: @escaping @Sendable (LinkEvent) -> Void) {
    let process: SSHProcess
    do throws(RecordsError) {
      process = try SSHProcess(destination)
    } catch {
      return receive(.closed(error))
    }
    let relay: @Sendable (LinkEvent) -> Void = { event in
      guard case .closed(let reason) = event else { return receive(event) }
      finish(process, because: reason, on: loop, receive)
    }
    let (host, report) = (destination.host, report)
    ClientBootstrap(group: loop)
      .channelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 64 << 10)
      )
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            PreambleReader(host: host, timeout: Self.timeout, report: report),
            FrameReceiver(receive: relay))
        }
      }
      .withConnectedSocket(process.socket)
      .whenFailure { error in
        relay(
          .closed(
            RecordsError(
              .networkUnavailable, "Cannot start ssh: \(error).", retryAfterSeconds: 5)))
      }
  }

  /// Reports the end of the link when ssh has ended, with the reason that ssh gives.
  private func finish(
    _ process: SSHProcess, because reason: RecordsError?, on loop: any EventLoop,
    _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    guard let reason else {
      process.terminate()
      return receive(.closed(nil))
    }
    let deadline = loop.scheduleTask(in: Self.endTimeout) { process.terminate() }
    // The process ends soon, and with it the task.
    Task {
      let ending = await process.ending()
      deadline.cancel()
      let error = SSHFailure(destination: destination, ending: ending, reason: reason).error
      loop.execute { receive(.closed(error)) }
    }
  }
}
