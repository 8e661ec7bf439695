// Assets over the real socket: uploads, references, downloads, interruptions and invalid messages.

import Crypto
import FoundationEssentials
import Glibc
import Processes
import Records
import RecordsWire
import Testing

@Suite("I19 assets over the wire", .timeLimit(.minutes(5)))
struct AssetTests {
  /// Content without repetition, and its asset.
  struct File {
    let bytes: [UInt8]
    let asset: Asset

    init(byteCount: Int, seed: UInt8 = 1) throws {
      bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) ^ seed }
      let digest = try #require(AssetDigest(bytes: Array(SHA256.hash(data: bytes))))
      asset = Asset(digest, sizeBytes: byteCount)
    }

    func piece(_ offset: Int) -> AssetPiece {
      let end = min(offset + Limits.assetPieceBytesMinimum, bytes.count)
      return AssetPiece(digest: asset.id, offset: offset, content: Array(bytes[offset..<end]))
    }

    func record(_ name: String) -> Operation {
      .save(
        Operation.Save(
          name: RecordName(stored: name), type: RecordType(stored: "Note"), tag: nil,
          fields: EncodedRecord(["photo": .asset(asset)])))
    }
  }

  @Test func `an uploaded file is held for all devices of the account and for no other account`()
    async throws
  {
    let broker = try await RunningBroker()
    var laptop = WireDevice()
    let client = try await laptop.connect(broker)
    let file = try File(byteCount: 200_000)
    try await client.send(file)
    try await laptop.perform(file.record("a"), over: client)
    var phone = WireDevice()
    let other = try await phone.connect(broker)
    #expect(try await other.offer(file.asset).isHeld)
    #expect(try await other.content(of: file.asset) == file.bytes)
    var stranger = WireDevice(account: "bob")
    let strange = try await stranger.connect(broker)
    let standing = try await strange.offer(file.asset)
    #expect(!standing.isHeld)
    #expect(standing.offset == 0)
    let answer = try await strange.ask(
      .fetchAsset(AssetFetch(zone: .standard, digest: file.asset.id, offset: 0)))
    guard case .error(let error) = answer else { throw Unexpected(answer) }
    #expect(error.code == .assetNotAvailable)
  }

  @Test func `an upload continues where it ended after lost connections and kills of the broker`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let file = try File(byteCount: 2_000_000)
    var reached: [Int] = []
    for round in 0..<4 {
      let client = try await device.connect(broker)
      let standing = try await client.offer(file.asset)
      reached.append(standing.offset)
      var offset = standing.offset
      for _ in 0..<5 {
        _ = try await client.ask(.assetPiece(file.piece(offset)))
        offset += Limits.assetPieceBytesMinimum
      }
      if round % 2 == 0 {
        client.close()
      } else {
        try await broker.kill()
        try await broker.restart()
      }
    }
    #expect(reached == (0..<4).map { $0 * 5 * Limits.assetPieceBytesMinimum })
    let client = try await device.connect(broker)
    #expect(try await client.send(file) == 20 * Limits.assetPieceBytesMinimum)
    try await device.perform(file.record("a"), over: client)
    #expect(try await client.content(of: file.asset) == file.bytes)
  }

  @Test func `kill -9 at any moment leaves an upload complete or resumable`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    for round in 0..<CrashTests.kills {
      let file = try File(byteCount: 600_000, seed: UInt8(round))
      let client = try await device.connect(broker)
      let standing = try await client.offer(file.asset)
      let pieces = Int.random(in: 0...10)
      var offset = standing.offset
      for _ in 0..<pieces where offset < file.bytes.count {
        try await client.send(.assetPiece(file.piece(offset)))
        offset += Limits.assetPieceBytesMinimum
      }
      try await broker.kill()
      try await broker.restart()
      let again = try await device.connect(broker)
      try await again.send(file)
      let results = try await device.perform(file.record("r\(round)"), over: again)
      #expect(results.map(\.errorCode) == [nil])
      #expect(try await again.content(of: file.asset) == file.bytes)
    }
  }

  @Test func `other requests are answered during a large upload`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let file = try File(byteCount: 6_000_000)
    var offset = try await client.offer(file.asset).offset
    var saved = 0
    var last: UInt64 = 0
    while offset < file.bytes.count {
      last = try await client.send(.assetPiece(file.piece(offset)))
      offset += Limits.assetPieceBytesMinimum
      guard offset % (10 * Limits.assetPieceBytesMinimum) == 0 else { continue }
      saved += 1
      let results = try await device.perform(.note("n\(saved)"), over: client)
      #expect(results == [.saved(tag: Revision(Int64(saved)))])
    }
    guard case .assetStanding(let standing) = try await client.answer(to: last) else {
      throw RecordsError(.serverResponseLost, "The upload was not answered.")
    }
    #expect(standing.isHeld)
    #expect(saved > 5)
  }

  // MARK: Errors

  @Test func `content that does not match the offer is refused and can be sent again`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let file = try File(byteCount: 100)
    _ = try await client.offer(file.asset)
    let wrong = AssetPiece(
      digest: file.asset.id, offset: 0, content: Array(repeating: 0, count: 100))
    #expect(try await client.refusal(of: .assetPiece(wrong)).reason == "wrongDigest")
    #expect(
      try await client.refusal(of: .assetPiece(wrong)).reason == "notOffered", "it has ended")
    #expect(try await client.send(file) == 0)
  }

  @Test func `a download beyond the end, or with too many in flight, is refused`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let file = try File(byteCount: 500_000)
    try await client.send(file)
    try await device.perform(file.record("a"), over: client)
    let beyond = AssetFetch(zone: .standard, digest: file.asset.id, offset: 500_000)
    #expect(try await client.refusal(of: .fetchAsset(beyond)).code == .invalidArguments)
    var frames: [UInt8] = []
    for id in 1000..<1100 as Range<UInt64> {
      let fetch = AssetFetch(zone: .standard, digest: file.asset.id, offset: 0)
      frames += ClientFrame(id: id, message: .fetchAsset(fetch)).framed
    }
    try await client.send(frames)
    var refused = 0
    for id in 1000..<1100 as Range<UInt64> {
      switch try await client.answer(to: id) {
      case .assetPiece: break
      case .error(let error):
        #expect(error.code == .requestRateLimited)
        refused += 1
      case let answer: throw Unexpected(answer)
      }
    }
    #expect(refused > 0)
  }

  @Test func `a file without a row is deleted at the next start`() async throws {
    let broker = try await RunningBroker()
    let file = try File(byteCount: 10)
    let name = file.asset.id.description
    let folder = broker.directory.file("state/assets/\(name.prefix(2))")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    #expect(
      FileManager.default.createFile(
        atPath: "\(folder)/\(name)", contents: Data(file.bytes), attributes: nil))
    try await broker.kill()
    try await broker.restart()
    try await Patience.wait(until: "the file to be swept") {
      access("\(folder)/\(name)", F_OK) != 0
    }
  }
}

extension WireClient {
  /// Offers an asset.
  func offer(_ asset: Asset) async throws -> AssetStanding {
    let answer = try await ask(.offerAsset(asset))
    guard case .assetStanding(let standing) = answer else { throw Unexpected(answer) }
    return standing
  }

  /// Offers a file and sends the part that the broker lacks. Returns the offset at which it began.
  @discardableResult
  func send(_ file: AssetTests.File) async throws -> Int {
    let standing = try await offer(file.asset)
    guard !standing.isHeld else { return file.bytes.count }
    var offset = standing.offset
    var last: BrokerMessage?
    while offset < file.bytes.count {
      last = try await ask(.assetPiece(file.piece(offset)))
      offset += Limits.assetPieceBytesMinimum
    }
    guard case .assetStanding(let end)? = last, end.isHeld else {
      throw RecordsError(.serverResponseLost, "The file was not taken: \(String(describing: last))")
    }
    return standing.offset
  }

  /// Fetches an asset of the standard zone, chunk by chunk.
  func content(of asset: Asset) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < asset.byteCount {
      let answer = try await ask(
        .fetchAsset(AssetFetch(zone: .standard, digest: asset.id, offset: bytes.count)))
      guard case .assetPiece(let piece) = answer, piece.offset == bytes.count else {
        throw Unexpected(answer)
      }
      bytes += piece.content
    }
    return bytes
  }

  /// Returns the error with which the broker refuses a message.
  func refusal(of message: ClientMessage) async throws -> RecordsError {
    let answer = try await ask(message)
    guard case .error(let error) = answer else { throw Unexpected(answer) }
    return error
  }
}
