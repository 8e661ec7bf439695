// Notices that this machine has another network, or that it has slept, so that a device is back at once and not when
// a wait is over. The kernel reports changes of interfaces, addresses and routes over a netlink socket
// (rtnetlink(7)); most of them, such as renewed lifetimes, change nothing that matters, so the addresses are
// compared.

import Glibc
import NIOCore
import NIOPosix

/// Watches the network of this machine.
package actor NetworkWatch {
  /// How long messages of the kernel are collected before the addresses are compared. No connection is made and
  /// lost in this time.
  private static let collecting = TimeAmount.milliseconds(20)
  /// How long the network may settle before a change is reported.
  private static let settling = TimeAmount.milliseconds(500)
  /// How often the clocks are compared.
  private static let clockInterval = TimeAmount.seconds(5)
  /// The groups of rtnetlink(7): links, IPv4 and IPv6 addresses. Routes change without a change of an address.
  private static let groups: UInt32 = 0x1 | 0x10 | 0x100

  /// The loop, so that its callbacks need not wait for the actor.
  package nonisolated let unownedExecutor: UnownedSerialExecutor

  private let loop: any EventLoop
  private let changed: @Sendable () -> Void
  private var comparison = NetworkComparison(.current())
  private var sleep = SleepDetector()
  private var channel: (any Channel)?
  private var nextLook: Scheduled<Void>?
  private var report: Scheduled<Void>?
  private var clock: RepeatedTask?
  private var isStopped = false

  /// Creates a watch that runs on `loop`, where it calls `changed`.
  package init(loop: any EventLoop, changed: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.changed = changed
    unownedExecutor = loop.executor.asUnownedSerialExecutor()
  }

  /// Begins to watch. Without netlink, for example in a closed unit, only sleep is noticed.
  package func start() {
    listen()
    clock = loop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.clockInterval) {
      [weak self] _ in self?.assumeIsolated { $0.compareClocks() }
    }
  }

  /// Ends the watch.
  package func stop() {
    isStopped = true
    nextLook?.cancel()
    report?.cancel()
    clock?.cancel()
    channel?.close(promise: nil)
  }

  private func compareClocks() {
    let hasSlept = sleep.hasSlept(
      monotonicSeconds: Self.seconds(of: CLOCK_MONOTONIC),
      bootSeconds: Self.seconds(of: CLOCK_BOOTTIME))
    if hasSlept { changed() }
  }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Netlink

  private func listen() {
    guard !isStopped, let socket = Self.socket() else { return }
    NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            NetlinkHandler { [weak self] in self?.assumeIsolated { $0.scheduleLook() } })
        }
      }
      .takingOwnershipOfDescriptor(input: socket)
      .whenSuccess { [weak self] channel in self?.assumeIsolated { $0.opened(channel) } }
  }

  private func opened(_ channel: any Channel) {
    guard !isStopped else { return channel.close(promise: nil) }
    self.channel = channel
    // The kernel drops messages that are not read in time, and the socket then reports an error.
    channel.closeFuture.whenComplete { [weak self, loop] _ in
      loop.scheduleTask(in: .seconds(1)) {
        self?.assumeIsolated { watch in
          watch.scheduleLook()
          watch.listen()
        }
      }
    }
  }

  /// A netlink socket that receives changes of the network; `nil` if the system refuses it.
  private static func socket() -> CInt? {
    let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_NETLINK, kind, 0)
    guard descriptor >= 0 else { return nil }
    // `sockaddr_nl`: the family, padding, a port that the kernel chooses, and the groups.
    var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), groups)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout.size(ofValue: pointer.pointee)))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private func scheduleLook() {
    guard nextLook == nil, !isStopped else { return }
    nextLook = loop.scheduleTask(in: Self.collecting) { [weak self] in
      self?.assumeIsolated { $0.look() }
    }
  }

  private func look() {
    nextLook = nil
    guard comparison.look(at: .current()) else { return }
    report = loop.scheduleTask(in: Self.settling) { [weak self] in
      self?.assumeIsolated { watch in
        watch.comparison.reported()
        watch.changed()
      }
    }
  }
}

/// Reports that the kernel has sent something. What it says does not matter.
private final class NetlinkHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let received: @Sendable () -> Void

  init(received: @escaping @Sendable () -> Void) {
    self.received = received
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
