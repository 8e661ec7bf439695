import Records
import Testing

@testable import RecordsWire

@Suite("B2, C11 laws of messages")
struct MessageLawsTests {
  /// Field 99, which no version has: a number, and a text.
  private static let unknownFields: [[UInt8]] = [[0x98, 0x06, 0x01], [0x9A, 0x06, 0x01, 0x78]]

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a random client message is decoded as it was sent`(seed: UInt64) throws {
    var random = RandomMessages(seed: seed)
    for _ in 0..<4 {
      let frame = ClientFrame(id: random.generator.next(), message: random.clientMessage())
      #expect(try ClientFrame(payload: frame.payload) == frame, "seed \(seed)")
      for unknown in Self.unknownFields {
        let decoded = try ClientFrame(payload: frame.payload + unknown)
        #expect(decoded == frame, "seed \(seed)")
        #expect(decoded.payload == frame.payload, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a random broker message is decoded as it was sent`(seed: UInt64) throws {
    var random = RandomMessages(seed: seed)
    for _ in 0..<4 {
      let frame = BrokerFrame(replyTo: random.generator.next(), message: random.brokerMessage())
      #expect(try BrokerFrame(payload: frame.payload) == frame, "seed \(seed)")
      for unknown in Self.unknownFields {
        let decoded = try BrokerFrame(payload: frame.payload + unknown)
        #expect(decoded == frame, "seed \(seed)")
        #expect(decoded.payload == frame.payload, "seed \(seed)")
      }
    }
  }

  @Test(arguments: Samples.clientMessages)
  func `a client message of a peer that lacks a field is decoded or rejected`(
    message: ClientMessage
  ) {
    for payload in payloadsWithoutAField(ClientFrame(id: 300, message: message).payload) {
      do throws(RefusedFrame) {
        let frame = try ClientFrame(payload: payload)
        #expect((try? ClientFrame(payload: frame.payload)) == frame)
      } catch {
        #expect(error.error.message.hasSuffix("."))
      }
    }
  }

  @Test(arguments: Samples.brokerMessages)
  func `a broker message of a peer that lacks a field is decoded or rejected`(
    message: BrokerMessage
  ) {
    for payload in payloadsWithoutAField(BrokerFrame(replyTo: 300, message: message).payload) {
      do throws(RefusedFrame) {
        let frame = try BrokerFrame(payload: payload)
        #expect((try? BrokerFrame(payload: frame.payload)) == frame)
      } catch {
        #expect(error.error.message.hasSuffix("."))
      }
    }
  }

  /// Returns the payload once without each of the fields of its messages.
  private func payloadsWithoutAField(_ payload: [UInt8]) -> [[UInt8]] {
    guard let fields = fields(payload) else { return [] }
    var results: [[UInt8]] = []
    for index in fields.indices {
      var others = fields
      others.remove(at: index)
      results.append(others.flatMap { Array($0.encoded) })
      guard case .bytes(let content) = fields[index].payload,
        let parts = self.fields(Array(content))
      else { continue }
      for part in parts.indices {
        var kept = parts
        kept.remove(at: part)
        var writer = ByteWriter()
        for field in fields[..<index] { writer.raw(field.encoded) }
        writer.field(fields[index].number, bytes: kept.flatMap { Array($0.encoded) })
        for field in fields[(index + 1)...] { writer.raw(field.encoded) }
        results.append(writer.bytes)
      }
    }
    return results
  }

  /// Returns the fields of a message; `nil` if the bytes are none.
  private func fields(_ bytes: [UInt8]) -> [ByteReader.Field]? {
    var reader = ByteReader(bytes[...])
    var fields: [ByteReader.Field] = []
    do throws(RecordsError) {
      while let field = try reader.next() { fields.append(field) }
      return fields
    } catch {
      return nil
    }
  }
}
