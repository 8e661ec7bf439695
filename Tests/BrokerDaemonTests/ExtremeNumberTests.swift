// Extreme numbers in every integer field of every frame that a device sends. The fields are found in the
// encoded bytes, so that fields added later are tested too.

import Processes
import Records
import RecordsWire
import Testing

@Suite("I18 extreme numbers in frames", .timeLimit(.minutes(10)))
struct ExtremeNumberTests {
  static let numbers: [UInt64] = [
    0, 1, UInt64(UInt32.max), 1 << 32, 1 << 48, 1 << 62, (1 << 62) + 1, UInt64(Int64.max) - 1,
    UInt64(Int64.max), 1 << 63, UInt64.max - 1, UInt64.max,
    (Double.infinity).bitPattern, Double.nan.bitPattern,
  ]

  static let digest = Asset(digest: Array(repeating: 7, count: 32), sizeBytes: 100)
  static let token = ChangeToken(
    incarnation: Incarnation(9), revision: Revision(3), scanStart: Revision(2))
  static let position = ZonePosition(zone: .standard, token: token)
  static let fields: Fields = [
    "asset": .asset(digest), "date": .date(Timestamp(microseconds: 5)), "double": .double(0.5),
    "list": .list([.int64(4), .double(2)]),
    "place": .location(Location(latitudeDegrees: 1, longitudeDegrees: 2)), "whole": .int64(3),
  ]

  static let messages: [ClientMessage] = [
    .modify(
      ModifyRequest(
        number: RequestNumber(1), acknowledged: RequestNumber(1),
        groups: [
          OperationGroup(
            zone: .standard,
            operations: [
              .save(
                Operation.Save(
                  name: RecordName(stored: "x"), type: RecordType(stored: "Note"),
                  policy: .changedKeys, tag: Revision(2), fields: EncodedRecord(fields))),
              .delete(Operation.Delete(name: RecordName(stored: "y"), tag: Revision(2))),
              .emptyTrash(through: Revision(5)),
            ])
        ])),
    .acknowledge(RequestNumber(1)),
    .fetch([RecordID(zone: .standard, name: RecordName(stored: "a"))]),
    .attach([position]), .checkpoint, .ping, .offerAsset(digest),
    .assetPiece(AssetPiece(digest: digest.id, offset: 3, content: [1, 2])),
    .fetchAsset(AssetFetch(zone: .standard, digest: digest.id, offset: 3, byteCount: 5)),
    .history(RecordID(zone: .standard, name: RecordName(stored: "a")), below: Revision(7)),
    .trash(.standard, below: Revision(7)),
    .cascaded(.standard, by: RequestNumber(7), after: Revision(3)),
    .query(
      QueryForm(
        type: RecordType(stored: "Note"),
        predicate: PredicateText("whole > 3 AND double < 1.5", arguments: []), limit: 5)),
    .saveSubscription(
      SubscriptionForm(
        id: SubscriptionID(stored: "s"),
        kind: .query(
          type: RecordType(stored: "Note"),
          predicate: PredicateText("whole > %@", arguments: [.int64(3)]), zone: nil))),
    .followNotifications(NotificationNumber(3)),
    .acknowledgeNotifications(NotificationNumber(3)),
    .share(
      .create(
        .standard,
        ShareForm(
          publicPermission: .readOnly,
          link: LinkForm(
            digest: Array(0..<32), expires: Timestamp(microseconds: 7), uses: 3)))),
    .account(.setDiscoverable(true)),
  ]

  @Test(arguments: messages)
  func `an extreme number in a frame is refused or valid, and the broker continues`(
    message: ClientMessage
  ) async throws {
    let broker = try await RunningBroker()
    var hostile = WireDevice(account: "mallory")
    var client = try await hostile.connect(broker)
    var tried = 0
    for payload in Self.variations(of: ClientFrame(id: 77, message: message).payload) {
      if client.isClosed { client = try await hostile.connect(broker) }
      try await client.send(FramePrefix.bytes(length: payload.count) + payload)
      tried += 1
      guard tried % 8 == 0 else { continue }
      try await Self.answers(client)
    }
    #expect(tried > 0)
    try await Self.answers(client)
    var bystander = WireDevice()
    let other = try await bystander.connect(broker)
    #expect(try await bystander.perform(.note("a"), over: other) == [.saved(tag: Revision(1))])
    #expect(broker.program.isRunning)
  }

  @Test func `an extreme number in a hello is refused or valid`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    var known = WireDevice(account: "mallory")
    _ = try await known.connect(broker)
    known.lastNumber = RequestNumber(3)
    known.acknowledged = RequestNumber(2)
    known.directory = Revision(5)
    let hello = ClientFrame(id: 77, message: .hello(known.hello(zones: [Self.position])))
    var welcomes = 0
    for payload in Self.variations(of: hello.payload) {
      let client = try WireClient(broker)
      try await client.send(FramePrefix.bytes(length: payload.count) + payload)
      let first = try await client.next()
      guard case .welcome(let welcome)? = first?.message else { continue }
      welcomes += 1
      // The number after the last one that the broker accepted.
      try await client.send(
        .modify(
          ModifyRequest(
            number: welcome.lastNumber.next, acknowledged: welcome.lastNumber,
            groups: [OperationGroup(zone: .standard, operations: [.note("a")])])))
      client.close()
    }
    #expect(welcomes > 0)
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
    #expect(broker.program.isRunning)
  }

  /// Waits until the broker has answered a ping or closed the connection.
  private static func answers(_ client: WireClient) async throws {
    do {
      _ = try await client.ask(.ping)
    } catch let error as RecordsError where error.code == .networkUnavailable {
      // A goodbye is also a valid answer.
    }
  }

  // MARK: Bytes

  /// Returns a copy of `payload` for every number in it and every extreme, with that number replaced.
  static func variations(of payload: [UInt8]) -> [[UInt8]] {
    guard let fields = parse(payload) else { return [] }
    return fields.indices.flatMap { index -> [[UInt8]] in
      let before = fields[..<index].flatMap(\.bytes)
      let after = fields[(index + 1)...].flatMap(\.bytes)
      return fields[index].variations.map { before + $0 + after }
    }
  }

  /// One field of a message.
  private struct Field {
    let tag: UInt64
    let content: [UInt8]

    var bytes: [UInt8] {
      switch tag & 7 {
      case 2: varint(tag) + varint(UInt64(content.count)) + content
      default: varint(tag) + content
      }
    }

    var variations: [[UInt8]] {
      switch tag & 7 {
      case 0: numbers.map { varint(tag) + varint($0) }
      case 1:
        numbers.map { number in
          varint(tag) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
      case 2:
        ExtremeNumberTests.variations(of: content).map { varied in
          varint(tag) + varint(UInt64(varied.count)) + varied
        }
      default: []
      }
    }
  }

  /// Returns the fields of an encoded message; `nil` for other bytes.
  private static func parse(_ bytes: [UInt8]) -> [Field]? {
    var rest = bytes[...]
    var fields: [Field] = []
    while !rest.isEmpty {
      guard let tag = takeVarint(&rest), tag >> 3 > 0, tag >> 3 < 1000 else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = takeVarint(&rest) else { return nil }
        fields.append(Field(tag: tag, content: varint(value)))
      case 1, 5:
        let count = tag & 7 == 1 ? 8 : 4
        guard rest.count >= count else { return nil }
        fields.append(Field(tag: tag, content: Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
      case 2:
        guard let count = takeVarint(&rest), count <= rest.count else { return nil }
        fields.append(Field(tag: tag, content: Array(rest.prefix(Int(count)))))
        rest = rest.dropFirst(Int(count))
      default: return nil
      }
    }
    return fields
  }

  private static func takeVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
