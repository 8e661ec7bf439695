// A response on its way from the event loop, which receives it, to the task that reads it.

import NIOCore
import NIOHTTP1
import Synchronization

/// One request and the response to it. The event loop of the connection reports what arrives; one task reads it.
final class AgentExchange: Sendable {
  /// Why a response is not complete, if not by an error of the connection.
  enum Failure: Error {
    /// The agent closed the connection.
    case closed
    /// The response did not end in time.
    case deadlineExceeded
  }

  /// The number of unread bytes at which the connection is not read until the task has taken them.
  static let unreadBytesMax = 1 << 20

  private struct State {
    var head: HTTPResponseHead?
    var unread = ByteBuffer()
    var ending: Result<Void, any Error>?
    /// The reading task, while it waits.
    var reader: CheckedContinuation<Void, Never>?
    /// Whether something happened since the reading task looked.
    var hasNews = false
    /// Whether the connection waits until the unread bytes are taken.
    var isHeld = false
  }

  private let channel: any Channel
  private let state = Mutex(State())

  /// Creates an exchange on a connection.
  init(on channel: any Channel) {
    self.channel = channel
  }

  // MARK: The reading task

  /// Returns the head of the response as soon as it has arrived. A cancelled task ends the exchange.
  /// - Throws: `Failure`, or the error of the connection.
  func head() async throws -> HTTPResponseHead {
    while true {
      let found = try state.withLock { state in
        if state.head == nil { try state.ending?.get() }
        return state.head
      }
      if let found { return found }
      await news()
    }
  }

  /// Returns the bytes of the body that have arrived since the last call, at least one; `nil` at its end.
  /// - Throws: `Failure`, or the error of the connection.
  func bytes() async throws -> ByteBuffer? {
    while true {
      let (bytes, wasHeld, hasEnded) = try state.withLock { state in
        let bytes = state.unread
        guard bytes.readableBytes == 0 else {
          let wasHeld = state.isHeld
          (state.unread, state.isHeld) = (ByteBuffer(), false)
          return (bytes, wasHeld, false)
        }
        try state.ending?.get()
        return (bytes, false, state.ending != nil)
      }
      if wasHeld { channel.read() }
      if bytes.readableBytes > 0 { return bytes }
      if hasEnded { return nil }
      await news()
    }
  }

  /// Waits until something has happened since the last look.
  private func news() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (reader: CheckedContinuation<Void, Never>) in
        let isReady = state.withLock { state in
          guard state.hasNews else {
            state.reader = reader
            return false
          }
          state.hasNews = false
          return true
        }
        if isReady { reader.resume() }
      }
    } onCancel: {
      fail(CancellationError())
    }
  }

  /// Whether the response has arrived to its end.
  var isComplete: Bool {
    state.withLock { state in
      guard case .success = state.ending else { return false }
      return true
    }
  }

  // MARK: The event loop

  /// The head of the response has arrived.
  func received(_ head: HTTPResponseHead) {
    report { $0.head = head }
  }

  /// Bytes of the body have arrived.
  func received(_ bytes: ByteBuffer) {
    var bytes = bytes
    report { state in
      if state.unread.readableBytes == 0 {
        state.unread = bytes
      } else {
        state.unread.writeBuffer(&bytes)
      }
    }
  }

  /// The response has arrived to its end.
  func complete() {
    report { $0.ending = .success(()) }
  }

  /// Ends the exchange with an error, unless it has ended, and closes the connection.
  func fail(_ error: any Error) {
    if report({ $0.ending = .failure(error) }) { channel.close(promise: nil) }
  }

  /// Whether the connection must not be read now, because the task has not taken what arrived. It is read again when
  /// the task has.
  func holdsReads() -> Bool {
    state.withLock { state in
      state.isHeld = state.unread.readableBytes >= Self.unreadBytesMax && state.ending == nil
      return state.isHeld
    }
  }

  /// Changes the state and wakes the reading task; returns `false` if the exchange has ended.
  @discardableResult private func report(_ change: (inout State) -> Void) -> Bool {
    let (isChanged, reader) = state.withLock { state in
      guard state.ending == nil else { return (false, nil as CheckedContinuation<Void, Never>?) }
      change(&state)
      let reader = state.reader
      state.hasNews = reader == nil
      state.reader = nil
      return (true, reader)
    }
    reader?.resume()
    return isChanged
  }
}
