// The bytes on the protocol page must be correct, because clients are written from it.

import Foundation
import Records
import RecordsWire
import Testing

@Suite("C11 the protocol page")
struct ProtocolPageTests {
  @Test func `the annotated frame equals the encoded one`() throws {
    let fields: Fields = ["text": .string("hi")]
    let save = Records.Operation.Save(
      name: try RecordName("a"), type: try RecordType("Note"), tag: nil,
      fields: EncodedRecord(fields))
    let request = ModifyRequest(
      number: RequestNumber(8), acknowledged: RequestNumber(7),
      groups: [OperationGroup(zone: .standard, operations: [.save(save)])])
    #expect(try annotatedBytes() == ClientFrame(id: 2, message: .modify(request)).framed)
  }

  @Test(arguments: RecordsError.Code.allCases)
  func `every error code is explained`(code: RecordsError.Code) throws {
    #expect(try page().contains("`\(code.rawValue)`"))
  }

  private func page() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
  }

  // The last code block: each line has pairs of hexadecimal digits, two spaces and a remark.
  private func annotatedBytes() throws -> [UInt8] {
    let block = try #require(try page().components(separatedBy: "```").dropLast().last)
    return block.split(separator: "\n").flatMap { line in
      line.trimmingCharacters(in: .whitespaces).components(separatedBy: "  ")[0]
        .split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }
}
