import Processes
import Records
import RecordsWire

/// A connection of a device to a broker, which never waits.
final class FleetConnection {
  /// The number of the broker.
  let broker: Int
  private let socket: UnixSocket
  private var decoder = FrameDecoder()
  private var lastFrame: UInt64 = 0
  private var unsent: [UInt8] = []
  /// Whether the broker has welcomed the device.
  var isWelcome = false
  private var lastSound: ContinuousClock.Instant
  private var isPinged = false

  /// Connects.
  /// - Throws: `networkUnavailable` if no broker listens.
  init(to broker: FailoverBroker, at now: ContinuousClock.Instant) throws {
    self.broker = broker.number
    socket = try UnixSocket(path: broker.socketPath)
    lastSound = now
  }

  func close() { socket.close() }

  /// Queues a message. Returns the number of its frame.
  @discardableResult
  func send(_ message: ClientMessage) -> UInt64 {
    lastFrame += 1
    unsent += ClientFrame(id: lastFrame, message: message).framed
    return lastFrame
  }

  /// Sends what is queued and returns the frames that have come; `nil` if the broker has ended the connection.
  func exchange(at now: ContinuousClock.Instant) throws -> [BrokerFrame]? {
    var frames: [BrokerFrame] = []
    var isOpen = true
    while isOpen {
      guard let bytes = socket.receiveSome() else {
        isOpen = false
        break
      }
      if bytes.isEmpty { break }
      lastSound = now
      isPinged = false
      decoder.append(bytes)
      while let payload = try decoder.next() { frames.append(try BrokerFrame(payload: payload)) }
    }
    if isOpen, !unsent.isEmpty {
      guard let count = socket.sendSome(unsent[...]) else { return frames.isEmpty ? nil : frames }
      unsent.removeFirst(count)
    }
    return isOpen || !frames.isEmpty ? frames : nil
  }

  /// Asks a silent broker for an answer. Returns whether it has said nothing for too long.
  func isSilent(at now: ContinuousClock.Instant) -> Bool {
    let silence = now - lastSound
    if silence > .milliseconds(700), isWelcome, !isPinged {
      isPinged = true
      send(.ping)
    }
    return silence > .seconds(2)
  }
}
