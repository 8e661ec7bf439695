import BrokerCore
import Records
import RecordsWire

/// A socket between a device and the broker: a stream of bytes in each direction that arrives in order, in
/// chunks of any size. When the connection is cut, the bytes in transit are lost, as with a Unix socket.
/// Frames are lost, repeated or reordered only because both sides connect again.
struct SimulatedSocket {
  let id: ConnectionID
  let device: Int
  /// The run of the broker that the socket connects to; a socket of an earlier run is dead.
  let brokerRun: Int
  var up: [UInt8] = []
  var down: [UInt8] = []
  /// The number of segments whose arrival in the socket the broker must be informed of.
  var unreportedSegments = 0
  /// Whether the device does not read.
  var isStalled = false
  /// Whether the network has lost the connection without telling either side, as when a machine leaves it:
  /// nothing arrives anymore in either direction, and each side has to find that out by itself.
  var isHalfOpen = false
  /// Whether the broker closed the connection. Bytes in transit to the device still arrive.
  var isClosing = false
  var upDecoder = FrameDecoder()
  var downDecoder = FrameDecoder()

  /// Removes some bytes from the front of a stream.
  static func take(_ stream: inout [UInt8], _ generator: inout SimulationGenerator) -> [UInt8] {
    // Usually all bytes, sometimes a few, so that frames are split at every byte.
    let count = generator.happens(percent: 80) ? stream.count : 1 + generator.below(stream.count)
    let taken = Array(stream.prefix(count))
    stream.removeFirst(count)
    return taken
  }
}
