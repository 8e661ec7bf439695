// A broker that has nothing but frames for a first sync, made beforehand. They are in a file, so that they take no memory
// of the process that is measured.

import BrokerLinks
import Foundation
import Measuring
import NIOCore
import Records
import RecordsWire
import Synchronization

/// A file of frames, written once and read from its beginning.
final class FrameFile: Sendable {
  private let file: FileHandle

  /// Creates the file; it disappears with the process.
  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forUpdatingAtPath: path)
    else { throw BenchFailure("Cannot write \(path).") }
    self.file = file
    try FileManager.default.removeItem(atPath: path)
  }

  /// Appends a frame.
  func append(_ payload: [UInt8]) throws {
    var data = withUnsafeBytes(of: UInt32(payload.count)) { Data($0) }
    data.append(contentsOf: payload)
    try file.write(contentsOf: data)
  }

  /// Goes back to the first frame.
  func rewind() throws { try file.seek(toOffset: 0) }

  /// Reads the next frame; `nil` at the end.
  func next() throws -> [UInt8]? {
    guard let prefix = try file.read(upToCount: 4), prefix.count == 4 else { return nil }
    let count = prefix.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    return try file.read(upToCount: Int(count)).map { [UInt8]($0) }
  }
}

/// The end of a connection that sends the frames of a file.
final class FrameFeed: BrokerConnector {
  private struct State {
    var receive: (@Sendable (LinkEvent) -> Void)?
    var isPaused = false
    var isClosed = false
  }

  private let loop: any EventLoop
  private let file: FrameFile
  private let welcome: Welcome
  private let directory: DirectoryPage
  private let state = Mutex(State())

  init(loop: any EventLoop, file: FrameFile, welcome: Welcome, directory: DirectoryPage) {
    self.loop = loop
    self.file = file
    self.welcome = welcome
    self.directory = directory
  }

  func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    state.withLock { $0.receive = receive }
    loop.execute { receive(.opened(FrameLink(feed: self))) }
  }

  /// Begins to send frames, as long as the receiver has not paused the connection.
  func start() {
    loop.execute { self.sendNext() }
  }

  private func sendNext() {
    let state = state.withLock { $0 }
    guard !state.isPaused, !state.isClosed, let payload = try? file.next(),
      let frame = try? BrokerFrame(payload: payload)
    else { return }
    state.receive?(.received(frame))
    start()
  }

  fileprivate func answer(_ message: ClientMessage, _ id: UInt64) {
    switch message {
    case .hello:
      deliver(.welcome(welcome), replyTo: id)
      deliver(.directory(directory), replyTo: 0)
    case .ping: deliver(.pong, replyTo: id)
    default: break
    }
  }

  private func deliver(_ message: BrokerMessage, replyTo id: UInt64) {
    let receive = state.withLock { $0.receive }
    loop.execute { receive?(.received(BrokerFrame(replyTo: id, message: message))) }
  }

  fileprivate func pause(_ isPaused: Bool) {
    let wasPaused = state.withLock { state in
      defer { state.isPaused = isPaused }
      return state.isPaused
    }
    if wasPaused, !isPaused { start() }
  }

  fileprivate func close() { state.withLock { $0.isClosed = true } }
}

private struct FrameLink: BrokerLink {
  let feed: FrameFeed

  func send(_ id: UInt64, _ message: ClientMessage) -> Bool {
    feed.answer(message, id)
    return true
  }
  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool { true }
  func flush() {}
  func pause() { feed.pause(true) }
  func resume() { feed.pause(false) }
  func close() { feed.close() }
}
