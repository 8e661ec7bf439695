// Moves messages between the two sides of a simulated world: encoded, cut into chunks of any size and
// decoded, as over a real socket.

import BrokerCore
import DeviceRoom
import DeviceStore
import Records
import RecordsWire
import SyncCore

extension DeviceWorld {
  // MARK: Connecting

  mutating func connect(_ index: Int) throws {
    devices[index].wantsConnection = false
    devices[index].connectionChanged()
    guard broker.isUp else {
      try perform(devices[index].replica.disconnected(now: now), of: index)
      return
    }
    lastConnection += 1
    let id = ConnectionID(lastConnection)
    sockets[id] = SimulatedSocket(id: id, device: index, brokerRun: broker.run)
    devices[index].socket = id
    try perform(broker.handle(.opened(id, .localUser(0))))
    try perform(devices[index].replica.connected(now: now), of: index)
  }

  // MARK: Bytes

  mutating func deliverUp(_ id: ConnectionID) throws {
    guard var socket = sockets[id] else { return }
    socket.upDecoder.append(SimulatedSocket.take(&socket.up, &generator))
    var payloads: [ArraySlice<UInt8>] = []
    while let payload = try socket.upDecoder.next() { payloads.append(payload) }
    sockets[id] = socket
    guard socket.brokerRun == broker.run else { return }
    for payload in payloads {
      let frame = try ClientFrame(payload: payload)
      try perform(
        broker.handle(
          .received(id, number: frame.id, frame.message, byteCount: payload.count)))
    }
  }

  mutating func deliverDown(_ id: ConnectionID) throws {
    guard var socket = sockets[id] else { return }
    socket.downDecoder.append(SimulatedSocket.take(&socket.down, &generator))
    var payloads: [ArraySlice<UInt8>] = []
    while let payload = try socket.downDecoder.next() { payloads.append(payload) }
    sockets[id] = socket
    guard devices[socket.device].socket == id else { return }
    var frames = try payloads.map { try BrokerFrame(payload: $0) }
    for frame in frames {
      try received(frame.message, by: socket.device)
      trace?("device \(socket.device) hears \(frame.message)")
    }
    if devices[socket.device].ignoresMoves {
      frames = frames.map { BrokerFrame(replyTo: $0.replyTo, message: $0.message.withoutMoves) }
    }
    let replica = devices[socket.device].replica
    // Every other device prepares what it receives, as a driver does for large pages.
    let isPreparing = socket.device.isMultiple(of: 2)
    let prepared =
      (isPreparing ? replica.preparation(of: frames, minimum: 1)?.prepared() : nil)
      ?? frames.map { PreparedFrame($0) }
    try perform(replica.received(prepared: prepared, now: now), of: socket.device)
  }

  // MARK: Actions

  mutating func perform(_ actions: [BrokerAction]) throws {
    for action in actions {
      switch action {
      case .send(let id, let replyTo, let message):
        sockets[id]?.down += BrokerFrame(replyTo: replyTo, message: message).framed
      case .broadcast(let message, let ids):
        let frame = BrokerFrame(replyTo: 0, message: message).framed
        for id in ids { sockets[id]?.down += frame }
      case .publish(let segments, let ids):
        for id in ids {
          for segment in segments { sockets[id]?.down += segment.frame }
        }
      case .sendSegment(let id, let frame):
        sockets[id]?.down += frame
        sockets[id]?.unreportedSegments += 1
      case .close(let id): sockets[id]?.isClosing = true
      case .watch, .pause, .resume, .logRefusal, .logMaintenance: break
      case .store, .storeLater, .read, .asset:
        preconditionFailure("The simulated broker keeps these to itself.")
      }
    }
  }

  mutating func perform(_ actions: [SyncAction], of index: Int) throws {
    for action in actions {
      switch action {
      case .conversation(let action): try perform(action, of: index)
      case .erase: _ = try devices[index].replica.erase()
      case .appended, .confirmed, .directoryChanged, .notified: break
      }
    }
  }

  private mutating func perform(_ action: DriverAction, of index: Int) throws {
    switch action {
    case .connect: devices[index].wantsConnection = true
    case .send(let id, let message):
      if case .hello(let hello) = message { try sentHello(hello, by: index) }
      guard let socket = devices[index].socket else { return }
      let sent = devices[index].ignoresMoves ? message.withoutMoves : message
      sockets[socket]?.up += ClientFrame(id: id, message: sent).framed
    case .disconnect:
      devices[index].wantsConnection = false
      devices[index].connectionChanged()
      try leave(index)
    case .wait(let timer, let delay):
      devices[index].timers[timer] = milliseconds + Int64(delay)
    case .synchronized(let id): try synchronized(id, on: index)
    case .publicReadingEnded(let ending): try readTimeline(ending, on: index)
    case .file(let action):
      devices[index].diskActions.append((action, devices[index].attempt))
    case .phaseChanged, .responsivenessChanged, .answered, .ordered, .report, .assetLost,
      .publicReadingBegan:
      break
    }
  }
}
