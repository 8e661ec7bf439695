import Records
import Testing

@testable import SyncCore

@Suite("I19 files that are fetched")
struct SyncDownloadsTests {
  private var generator = SeededGenerator(seed: 5)
  private let zone = ZoneID.standard
  private let digest = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 1).id

  /// A machine that a broker welcomed which takes so much.
  private mutating func machine(pieceBytes: Int, atATime: Int) -> SyncMachine {
    var machine = SyncMachine(
      identity: SyncMachine.Identity(
        container: "contacts", accountName: nil, deviceName: "laptop", key: [], account: nil,
        device: nil),
      lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [:], abandoned: [],
      requests: [])
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else { return machine }
    let welcome = Welcome(
      version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
      lastNumber: .zero, directory: .zero, heartbeatSeconds: 30, assetPieceBytes: pieceBytes,
      assetFetchesInFlight: atATime)
    _ = machine.received(.welcome(welcome), replyTo: id, using: &generator)
    return machine
  }

  private func questions(_ steps: [SyncStep]) -> [(id: UInt64, fetch: AssetFetch)] {
    steps.compactMap { step in
      guard case .action(.send(let id, .fetchAsset(let fetch))) = step else { return nil }
      return (id, fetch)
    }
  }

  /// Fetches a file of 8 MiB, each answer after so long; the lengths of the pieces that were asked for,
  /// and how many were under way at most.
  private mutating func fetch(
    _ machine: inout SyncMachine, answerMicroseconds: Int64
  ) -> (lengths: [Int], underWay: Int) {
    let asset = Asset(digest, sizeBytes: 8 << 20)
    _ = machine.download([AssetWant(zone: zone, asset: asset)])
    var waiting = questions(machine.reached(digest, byteCount: 0))
    var lengths = waiting.map(\.fetch.byteCount)
    var most = waiting.count
    while !waiting.isEmpty {
      let (id, fetch) = waiting.removeFirst()
      machine.now = Timestamp(microseconds: machine.now.microseconds + answerMicroseconds)
      let piece = AssetPiece(
        digest: digest, offset: fetch.offset,
        content: Array(repeating: 1, count: fetch.byteCount))
      let came = machine.received(.assetPiece(piece), replyTo: id, using: &generator)
      let more = questions(came) + questions(machine.reached(digest, byteCount: piece.end))
      waiting += more
      lengths += more.map(\.fetch.byteCount)
      most = max(most, waiting.count)
    }
    return (lengths, most)
  }

  @Test mutating func `pieces get as long as the broker takes while it answers at once`() {
    var machine = machine(pieceBytes: 256 << 10, atATime: 4)
    let (lengths, underWay) = fetch(&machine, answerMicroseconds: 100)
    #expect(lengths.first == 64 << 10)
    #expect(lengths.max() == 256 << 10)
    #expect(lengths.reduce(0, +) == 8 << 20)
    #expect(underWay == 4)
  }

  @Test mutating func `they stay short where answers take long`() {
    var machine = machine(pieceBytes: 256 << 10, atATime: 4)
    let (lengths, _) = fetch(&machine, answerMicroseconds: 200_000)
    #expect(Set(lengths) == [64 << 10])
  }

  @Test mutating func `a broker that accepts only short pieces is asked for no longer ones`() {
    var machine = machine(pieceBytes: 64 << 10, atATime: 8)
    let (lengths, underWay) = fetch(&machine, answerMicroseconds: 100)
    #expect(Set(lengths) == [64 << 10])
    #expect(underWay == 8)
  }
}
