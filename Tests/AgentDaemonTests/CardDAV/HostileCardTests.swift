// Large cards, made so that they take long to read. A debug build reads each in seconds; what reads a part of a card again for
// each of its lines takes hours.

import CardDAVStore
import ContactCards
import Contacts
import Foundation
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("D6, H2 cards that take long to read", .timeLimit(.minutes(5)))
struct HostileCardTests {
  /// The lines of a card: once, many times as far as there is room, and once.
  struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    var first = ""
    let repeated: String
    var last = ""
    var bytesMaximum = 6 << 20

    var testDescription: String { name }

    var bytes: [UInt8] {
      let begin = Array("BEGIN:VCARD\nVERSION:3.0\nFN:Amy\n\(first)".utf8)
      let end = Array("\(last)\nEND:VCARD\n".utf8)
      let piece = Array(repeated.utf8)
      let count = (bytesMaximum - begin.count - end.count) / piece.count
      var bytes = begin
      for _ in 0..<count { bytes += piece }
      return bytes + end
    }
  }

  private static let long = String(repeating: "x", count: 2 << 20)
  /// As many characters as a line must have on average.
  private static let piece = String(repeating: "x", count: 60)

  private static let shapes = [
    Shape(
      name: "a folded name that ends in soft breaks", first: "NOTE;X=", repeated: "\n \(piece)="),
    Shape(
      name: "a quoted parameter with soft breaks", first: "NOTE;X=\"", repeated: "\n :\(piece)="),
    Shape(name: "soft breaks", first: "NOTE;ENCODING=QUOTED-PRINTABLE:", repeated: "\(piece)=\n"),
    Shape(
      name: "long parameters and base-64", first: "PHOTO;X=\(long);ENCODING=b:AAAA\n",
      repeated: "\(piece)\n"),
    Shape(
      name: "long parameters and a data address", first: "PHOTO;X=\(long):data:a/b;base64,AAAA\n",
      repeated: "\(piece)\n"),
    Shape(name: "nested cards", repeated: "AGENT:\nBEGIN:VCARD\nX:\(piece)\(piece)\n"),
    Shape(
      name: "parameters of a text", first: "TEL", repeated: ";TYPE=a", last: ":1",
      bytesMaximum: 1 << 20),
    Shape(
      name: "parameters of a picture", first: "PHOTO", repeated: ";TYPE=a",
      last: ":data:image/png;base64,AAAA"),
    Shape(
      name: "values of a parameter", first: "TEL;TYPE=a", repeated: ",b", last: ":1",
      bytesMaximum: 1 << 20),
    Shape(name: "quotes", first: "TEL;TYPE=", repeated: "\"", last: ":1"),
    Shape(name: "components of a name", first: "N:", repeated: ";", bytesMaximum: 1 << 20),
    Shape(name: "entries of a list", first: "NICKNAME:", repeated: "a,", bytesMaximum: 1 << 20),
    Shape(name: "numbers", repeated: "TEL;X=\(piece):1\n"),
    Shape(name: "groups without labels", repeated: "item1.X-ABLabel:\(piece)\nitem1.TEL:1\n"),
    Shape(name: "data addresses", repeated: "PHOTO:data:image/png;base64,\(piece)\n"),
    Shape(name: "lines after a picture", repeated: "PHOTO;ENCODING=b:AAAA\n!\(piece)\(piece)\n"),
    Shape(name: "zero bytes", repeated: "\u{0}"),
    Shape(name: "marks that combine", first: "NOTE:", repeated: "\u{301}", bytesMaximum: 1 << 20),
  ]

  @Test(arguments: ["\n", "\r\n", "A:\n", "a\r", "PHOTO:x\n"])
  func `a card of too many lines is refused before it is read`(line: String) {
    let bytes = Shape(name: "", repeated: line).bytes
    let error = #expect(throws: (any Error).self) { try SentCard(bytes) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("500000 lines"))
  }

  @Test(.onlyInCheck, arguments: shapes)
  func `a large card is read or refused in a time that grows with its size`(shape: Shape) throws {
    let bytes = shape.bytes
    #expect(bytes.count > shape.bytesMaximum - 256)
    let start = ContinuousClock.now
    let card = try? SentCard(bytes)
    if let card { _ = SentCard.content(of: card.card) }
    if ProcessInfo.processInfo.environment["TRACE"] != nil {
      print(shape.name, ContinuousClock.now - start, card == nil ? "refused" : "read")
    }
  }
}
