// P12, photos: a device with many posts connects to a broker for the first time, and then a new device
// receives all of them. Broker and agents are real processes with real sockets and disks. Before and after
// that, a C program copies the same files over a Unix socket, as durably and on the same disk, because the
// speed of a disk changes.

import Foundation
import Measuring

/// A run with a number of posts, each with a photo of 2 MiB.
struct PhotoSync {
  let posts: Int
  /// The folder of contacts-broker and contactsd.
  let programs: String
  /// The folder of file_copy.
  let peers: String
  /// An own folder for states and sockets. It needs room for five copies of the photos.
  let folder: String

  private static let photoBytes = 2 << 20
  private static let timeoutSeconds = 1800.0

  /// Measures and prints the speed of sending to the broker, of receiving on the new device and of the
  /// copies, and the peaks of memory.
  func measure() throws {
    let name = "photos_\(posts)"
    let mebibytes = Double(posts * Self.photoBytes) / 1_048_576
    let author = try device("author", account: "alice")
    defer { author.stop() }
    let connection = try author.connection()
    for number in 0..<posts { try post(number, over: connection) }

    // The device has all posts before the broker starts.
    var broker = try self.broker()
    defer { broker.stop() }
    let sendingStart = Measurement.monotonicSeconds()
    try wait(for: "the posts to be sent", over: connection) {
      $0["unsyncedPosts"] == 0 && $0["unsyncedComments"] == 0
    }
    Measurement.report(
      "\(name)_send_mib_per_s", mebibytes / (Measurement.monotonicSeconds() - sendingStart))
    Measurement.report("\(name)_author_peak_kib", author.peakKibibytes)
    Measurement.report("\(name)_sending_broker_peak_kib", broker.peakKibibytes)
    author.stop()

    // A new process, so that its peak memory is that of serving the photos.
    broker.stop()
    broker = try self.broker()
    try copy(as: name, to: "copy-before")
    let start = Measurement.monotonicSeconds()
    let reader = try device("reader", account: "bob")
    defer { reader.stop() }
    let view = try reader.connection()
    try wait(for: "the photos to arrive", over: view) { status in
      status["wantedPhotos"] == 0 && status["lastSync"] == 1
    }
    let seconds = Measurement.monotonicSeconds() - start
    try empty("author")
    try copy(as: name, to: "copy-after")
    try requireAllPhotos()
    Measurement.report("\(name)_fetch_mib_per_s", mebibytes / seconds)
    Measurement.report("\(name)_reader_peak_kib", reader.peakKibibytes)
    Measurement.report("\(name)_broker_peak_kib", broker.peakKibibytes)
  }

  // MARK: Processes

  private func broker() throws -> BenchProcess {
    try BenchProcess(
      programs + "/contacts-broker", ["--state", folder + "/broker", "--socket", folder + "/b"],
      socket: folder + "/b")
  }

  private func device(_ name: String, account: String) throws -> BenchProcess {
    try BenchProcess(
      programs + "/contactsd",
      [
        "--state", "\(folder)/\(name)", "--socket", "\(folder)/\(name).s", "--broker",
        folder + "/b", "--account", account, "--device", name, "--locale", "en_US",
      ], socket: "\(folder)/\(name).s")
  }

  /// Measures a copy of the broker's files.
  private func copy(as name: String, to copy: String) throws {
    let target = "\(folder)/\(copy)"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: peers + "/file_copy")
    process.arguments = [folder + "/broker/assets", target, name + "_copy"]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchFailure("The copy failed.") }
    try empty(copy)
  }

  /// Truncates the unneeded files of a folder, so that the next writes reuse blocks of the disk. A virtual
  /// disk that grows takes three times as long for new blocks. The files are not deleted, because a file
  /// system without a journal then needs minutes before it creates a file.
  private func empty(_ name: String) throws {
    let files = FileManager.default.enumerator(atPath: "\(folder)/\(name)")
    for case let path as String in files ?? .init() {
      truncate("\(folder)/\(name)/\(path)", 0)
    }
    sync()
    sleep(2)
  }

  // MARK: Photos

  /// Returns a complete PNG of two mebibytes with a body that depends on `number`.
  private func picture(_ number: Int) -> Data {
    let bodyBytes = Self.photoBytes - 57
    var picture: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0,
      8, 0, 0, 0, 8, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0,
    ]
    for shift in [24, 16, 8, 0] { picture.append(UInt8(truncatingIfNeeded: bodyBytes >> shift)) }
    picture += Array("IDAT".utf8)
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    while picture.count < Self.photoBytes - 16 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: state) { picture += $0 }
    }
    picture.removeLast(picture.count - (Self.photoBytes - 16))
    picture += [0, 0, 0, 0, 0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    return Data(picture)
  }

  private func post(_ number: Int, over connection: AgentSocket) throws {
    _ = try connection.post(
      "/v1/posts?caption=Photo%20\(number)", picture(number), mediaType: "image/png")
  }

  // MARK: Waiting

  /// Polls the timeline's status until `isDone` accepts it. `lastSync` is 1 after a synchronization,
  /// otherwise 0.
  private func wait(
    for what: String, over connection: AgentSocket, until isDone: ([String: Int]) -> Bool
  ) throws {
    let deadline = Measurement.monotonicSeconds() + Self.timeoutSeconds
    while Measurement.monotonicSeconds() < deadline {
      let body = try connection.get("/v1/timeline").body
      let status = try JSONDecoder().decode(TimelineStatus.self, from: body)
      if isDone(status.numbers) { return }
      usleep(50_000)
    }
    throw BenchFailure("Waited for \(what) for \(Self.timeoutSeconds) s without success.")
  }

  private struct TimelineStatus: Decodable {
    let unsyncedPosts: Int
    let unsyncedComments: Int
    let wantedPhotos: Int
    let lastSync: String?

    var numbers: [String: Int] {
      [
        "unsyncedPosts": unsyncedPosts, "unsyncedComments": unsyncedComments,
        "wantedPhotos": wantedPhotos, "lastSync": lastSync == nil ? 0 : 1,
      ]
    }
  }

  private func requireAllPhotos() throws {
    let files = FileManager.default.enumerator(atPath: folder + "/reader/assets")
    let count = files?.compactMap { $0 as? String }.filter { $0.hasSuffix(".") == false }
      .filter { $0.split(separator: "/").last?.count == 64 }.count
    guard count == posts else {
      throw BenchFailure("The new device has \(count ?? 0) of \(posts) photos.")
    }
  }
}
