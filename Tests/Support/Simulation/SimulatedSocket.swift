// One connection: a stream of bytes each way that arrives in pieces of any size, in order, until
// it is cut, when what was under way is lost. That is what a Unix socket does; frames are lost,
// sent twice or out of turn only by the two sides connecting again.

import BrokerCore
import Records
import RecordsWire

/// A socket between a device and the broker.
struct SimulatedSocket {
  let id: ConnectionID
  let device: Int
  /// The broker's run that the socket leads to; a socket into an earlier run is dead.
  let brokerRun: Int
  var up: [UInt8] = []
  var down: [UInt8] = []
  /// Pieces whose arrival in the socket the broker wants to hear of.
  var unreportedPieces = 0
  /// Whether the device does not read.
  var isStalled = false
  /// Whether the broker hung up: what is under way downwards still arrives.
  var isClosing = false
  var upDecoder = FrameDecoder()
  var downDecoder = FrameDecoder()

  /// Takes some bytes off the front of a stream.
  static func take(_ stream: inout [UInt8], _ dice: inout Dice) -> [UInt8] {
    // Mostly everything, sometimes a few bytes, so that frames are split at every byte.
    let count = dice.happens(percent: 80) ? stream.count : 1 + dice.below(stream.count)
    let taken = Array(stream.prefix(count))
    stream.removeFirst(count)
    return taken
  }
}
