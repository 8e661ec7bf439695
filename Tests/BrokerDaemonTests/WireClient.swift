// A minimal client of the broker that can send invalid bytes. It sends what a test specifies and keeps all
// received frames, in order.

import Processes
import Records
import RecordsWire

/// A connection to a broker.
final class WireClient {
  private let socket: UnixSocket
  private var decoder = FrameDecoder()
  private var lastID: UInt64 = 0
  /// The frames that were received and not yet read by the test.
  private var frames: [BrokerFrame] = []
  /// Whether the broker closed the connection.
  private(set) var isClosed = false

  convenience init(_ broker: RunningBroker) throws {
    try self.init(socketPath: broker.socketPath)
  }

  init(socketPath: String) throws {
    socket = try UnixSocket(path: socketPath)
  }

  func close() {
    socket.close()
  }

  /// Closes the sending side of the socket.
  func endSending() {
    socket.endSending()
  }

  // MARK: Sending

  /// Sends bytes unchanged. While the socket is full, reads the broker's frames unless `isReading` is false.
  /// If the broker has closed the connection, the bytes are dropped.
  func send(
    _ bytes: [UInt8], isReading: Bool = true, within limit: Duration = Patience.limit
  ) async throws {
    var rest = bytes[...]
    try await Patience.wait(until: "the broker to take \(bytes.count) bytes", within: limit) {
      while !rest.isEmpty {
        guard let count = socket.sendSome(rest) else { return true }
        if count == 0 {
          if isReading { try receive() }
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Sends bytes without reading answers. Returns whether all of them were sent within about a second.
  func sendWhatFits(_ bytes: [UInt8]) async throws -> Bool {
    do {
      try await send(bytes, isReading: false, within: .seconds(1))
      return true
    } catch is RecordsError {
      return false
    }
  }

  /// Sends a message and returns its frame number, which the answer will refer to.
  @discardableResult
  func send(_ message: ClientMessage) async throws -> UInt64 {
    lastID += 1
    try await send(ClientFrame(id: lastID, message: message).framed)
    return lastID
  }

  // MARK: Receiving

  /// Returns the broker's next frame; `nil` once it has closed the connection.
  func next() async throws -> BrokerFrame? {
    try await Patience.wait(until: "the broker to say something") {
      if frames.isEmpty { try receive() }
      return !frames.isEmpty || isClosed
    }
    return frames.isEmpty ? nil : frames.removeFirst()
  }

  /// Returns the answer to the frame numbered `id`. Frames that arrive before it stay for `next`.
  func answer(to id: UInt64) async throws -> BrokerMessage {
    try await first("the answer to \(id)") { $0.replyTo == id ? $0.message : nil }
  }

  /// Sends `message` and returns its answer.
  func ask(_ message: ClientMessage) async throws -> BrokerMessage {
    try await answer(to: try await send(message))
  }

  /// Removes and returns the first frame for which `match` returns a value. Earlier frames stay for `next`.
  func first<Found>(
    _ what: String, match: (BrokerFrame) throws -> Found?
  ) async throws -> Found {
    var looked = 0
    return try await Patience.wait(for: what) {
      try receive()
      while looked < frames.count {
        if let found = try match(frames[looked]) {
          frames.remove(at: looked)
          return found
        }
        looked += 1
      }
      if isClosed {
        throw RecordsError(
          .networkUnavailable, "The broker closed before \(what); frames: \(frames).")
      }
      return nil
    }
  }

  /// Returns all frames until the broker closes the connection.
  func rest() async throws -> [BrokerFrame] {
    try await Patience.wait(until: "the broker to close") {
      try receive()
      return isClosed
    }
    defer { frames = [] }
    return frames
  }

  /// Reads the bytes that have arrived.
  private func receive() throws {
    while !isClosed {
      guard let bytes = socket.receiveSome() else {
        isClosed = true
        return
      }
      if bytes.isEmpty { return }
      decoder.append(bytes)
      while let payload = try decoder.next() { frames.append(try BrokerFrame(payload: payload)) }
    }
  }
}
