// P12, photos: a device with many posts meets a broker, and a new device takes them all in. Broker and
// agents are processes, their sockets and disks real. A program in C copies the same files over a Unix
// socket before and behind that, on the same disk and as durably, because disks change their minds.

import Foundation
import Measuring

/// One run with so many posts.
struct PhotoSync {
  let posts: Int
  /// Where the programs are: contacts-broker, contactsd.
  let programs: String
  /// Where file_copy is.
  let peers: String
  /// A folder of its own for states and sockets; the files need five times their size.
  let folder: String

  private static let photoBytes = 2 << 20
  private static let patienceSeconds = 1800.0

  /// Measures, and prints how fast the photos went to the broker and came to the new device, how fast
  /// the copies were, and the peaks of memory.
  func measure() throws {
    let name = "photos_\(posts)"
    let mebibytes = Double(posts * Self.photoBytes) / 1_048_576
    let author = try device("author", account: "alice")
    defer { author.stop() }
    let connection = try author.connection()
    for number in 0..<posts { try post(number, over: connection) }

    // The device has everything before there is a broker.
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

    // The broker's peak is to be that of giving out.
    broker.stop()
    broker = try self.broker()
    try copy(as: name, to: "copy-before")
    let start = Measurement.monotonicSeconds()
    let reader = try device("reader", account: "bob")
    defer { reader.stop() }
    let view = try reader.connection()
    try wait(for: "the photos to come", over: view) { standing in
      standing["wantedPhotos"] == 0 && standing["lastSync"] == 1
    }
    let seconds = Measurement.monotonicSeconds() - start
    try empty("author")
    try copy(as: name, to: "copy-behind")
    try requireWhole()
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

  /// Copies the broker's files.
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

  /// Empties the files of a folder that are not needed any more, so that what is written next finds
  /// places which the disk has had before: one that grows as it is written to takes three times as long
  /// for new ones. They are not removed, because a file system without a journal looks for minutes at
  /// what it removed before it makes a file.
  private func empty(_ name: String) throws {
    let files = FileManager.default.enumerator(atPath: "\(folder)/\(name)")
    for case let path as String in files ?? .init() {
      truncate("\(folder)/\(name)/\(path)", 0)
    }
    sync()
    sleep(2)
  }

  // MARK: Photos

  /// A whole PNG of two mebibytes, its body different for each number.
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

  /// Asks the agent how the timeline stands until it stands right; `lastSync` is 1 where there was one.
  private func wait(
    for what: String, over connection: AgentSocket, until isRight: ([String: Int]) -> Bool
  ) throws {
    let deadline = Measurement.monotonicSeconds() + Self.patienceSeconds
    while Measurement.monotonicSeconds() < deadline {
      let body = try connection.get("/v1/timeline").body
      let standing = try JSONDecoder().decode(Standing.self, from: body)
      if isRight(standing.numbers) { return }
      usleep(50_000)
    }
    throw BenchFailure("It took too long for \(what).")
  }

  private struct Standing: Decodable {
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

  private func requireWhole() throws {
    let files = FileManager.default.enumerator(atPath: folder + "/reader/assets")
    let count = files?.compactMap { $0 as? String }.filter { $0.hasSuffix(".") == false }
      .filter { $0.split(separator: "/").last?.count == 64 }.count
    guard count == posts else {
      throw BenchFailure("The new device has \(count ?? 0) of \(posts) photos.")
    }
  }
}
