import NIOCore
import Records
import RecordsWire
import Synchronization

/// A connection to the broker over its Unix socket or through ssh, and its sending side.
///
/// The calling thread encodes a message and appends it to a buffer; the event loop writes the buffer with
/// one system call. Bytes count as outgoing until the kernel has accepted them, so a broker that does not
/// read stops its senders.
final class ChannelLink: BrokerLink {
  /// The number of outgoing bytes above which senders are asked to wait, until half of it is written. One
  /// request may exceed it; no message is refused.
  static let outgoingBytesMaximum = 1 << 20

  private struct Outgoing {
    var bytes: [UInt8] = []
    var isFlushScheduled = false
    var byteCount = 0
    var isFull = false
  }

  private let channel: any Channel
  private let outgoing = Mutex(Outgoing())

  init(channel: any Channel) {
    self.channel = channel
  }

  func send(_ id: UInt64, _ message: ClientMessage) -> Bool {
    enqueue(ClientFrame(id: id, message: message).framed)
  }

  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool {
    enqueue(ClientFrame.framed(id: id, encodedRequest: encodedRequest))
  }

  func flush() {
    if channel.eventLoop.inEventLoop { writeOutgoing() }
  }

  func pause() {
    channel.triggerUserOutboundEvent(FrameReceiver.Command.pause, promise: nil)
  }

  func resume() {
    channel.triggerUserOutboundEvent(FrameReceiver.Command.resume, promise: nil)
  }

  func close() {
    channel.triggerUserOutboundEvent(FrameReceiver.Command.close, promise: nil)
  }

  private func enqueue(_ framed: [UInt8]) -> Bool {
    let (isFirst, hasRoom) = outgoing.withLock { outgoing in
      let isFirst = !outgoing.isFlushScheduled
      outgoing.bytes.append(contentsOf: framed)
      outgoing.byteCount += framed.count
      outgoing.isFlushScheduled = true
      if outgoing.byteCount > Self.outgoingBytesMaximum { outgoing.isFull = true }
      return (isFirst, !outgoing.isFull)
    }
    if isFirst { channel.eventLoop.execute { self.writeOutgoing() } }
    return hasRoom
  }

  private func writeOutgoing() {
    let bytes = outgoing.withLock { outgoing in
      defer { outgoing.bytes = [] }
      outgoing.isFlushScheduled = false
      return outgoing.bytes
    }
    // They were written before.
    guard !bytes.isEmpty else { return }
    channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).whenSuccess {
      self.wrote(byteCount: bytes.count)
    }
  }

  private func wrote(byteCount: Int) {
    let hasRoomAgain = outgoing.withLock { outgoing in
      outgoing.byteCount -= byteCount
      guard outgoing.isFull, outgoing.byteCount <= Self.outgoingBytesMaximum / 2 else {
        return false
      }
      outgoing.isFull = false
      return true
    }
    if hasRoomAgain {
      channel.triggerUserOutboundEvent(FrameReceiver.Command.reportRoom, promise: nil)
    }
  }
}
