// A client of the broker, bare enough to misbehave: it says what a test tells it to say and keeps
// everything it hears, in order.

import Processes
import Records
import RecordsWire

/// A connection to a broker.
final class WireClient {
  private let socket: UnixSocket
  private var decoder = FrameDecoder()
  private var lastID: UInt64 = 0
  /// What was heard and not asked for yet.
  private var heard: [BrokerFrame] = []
  /// Whether the broker closed the connection.
  private(set) var isClosed = false

  init(_ broker: RunningBroker) throws {
    socket = try UnixSocket(path: broker.socketPath)
  }

  func close() {
    socket.close()
  }

  /// Says that nothing more will be sent.
  func endSending() {
    socket.endSending()
  }

  // MARK: Sending

  /// Sends bytes as they are. While the broker takes nothing, what it says is heard meanwhile,
  /// unless `isReading` is false. A broker that is gone takes everything.
  func send(
    _ bytes: [UInt8], isReading: Bool = true, within limit: Duration = Patience.limit
  ) async throws {
    var rest = bytes[...]
    try await Patience.wait(until: "the broker to take \(bytes.count) bytes", within: limit) {
      while !rest.isEmpty {
        guard let count = socket.sendSome(rest) else { return true }
        if count == 0 {
          if isReading { try hear() }
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Sends bytes without listening; says whether all of them went in within a second or so.
  func sendWhatFits(_ bytes: [UInt8]) async throws -> Bool {
    do {
      try await send(bytes, isReading: false, within: .seconds(1))
      return true
    } catch is RecordsError {
      return false
    }
  }

  /// Sends a message and returns the number its answer will have.
  @discardableResult
  func send(_ message: ClientMessage) async throws -> UInt64 {
    lastID += 1
    try await send(ClientFrame(id: lastID, message: message).framed)
    return lastID
  }

  // MARK: Hearing

  /// The next thing the broker says; `nil` once it closed the connection.
  func next() async throws -> BrokerFrame? {
    try await Patience.wait(until: "the broker to say something") {
      if heard.isEmpty { try hear() }
      return !heard.isEmpty || isClosed
    }
    return heard.isEmpty ? nil : heard.removeFirst()
  }

  /// The answer to the frame numbered `id`. What the broker says by itself before it waits in
  /// `next`.
  func answer(to id: UInt64) async throws -> BrokerMessage {
    try await first("the answer to \(id)") { $0.replyTo == id ? $0.message : nil }
  }

  /// The answer to `message`.
  func ask(_ message: ClientMessage) async throws -> BrokerMessage {
    try await answer(to: try await send(message))
  }

  /// Takes out the first frame that `match` takes; those before it wait in `next`.
  func first<Found>(
    _ what: String, match: (BrokerFrame) throws -> Found?
  ) async throws -> Found {
    var looked = 0
    return try await Patience.wait(for: what) {
      try hear()
      while looked < heard.count {
        if let found = try match(heard[looked]) {
          heard.remove(at: looked)
          return found
        }
        looked += 1
      }
      if isClosed {
        throw RecordsError(
          .networkUnavailable, "The broker closed before \(what); heard: \(heard).")
      }
      return nil
    }
  }

  /// Everything the broker says until it closes.
  func rest() async throws -> [BrokerFrame] {
    try await Patience.wait(until: "the broker to close") {
      try hear()
      return isClosed
    }
    defer { heard = [] }
    return heard
  }

  /// Takes in what has come.
  private func hear() throws {
    while !isClosed {
      guard let bytes = socket.receiveSome() else {
        isClosed = true
        return
      }
      if bytes.isEmpty { return }
      decoder.append(bytes)
      while let payload = try decoder.next() { heard.append(try BrokerFrame(payload: payload)) }
    }
  }
}
