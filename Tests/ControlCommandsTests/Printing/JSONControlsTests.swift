import Foundation
import Testing

@testable import ControlCommands

@Suite("JSON on a terminal")
struct JSONControlsTests {
  @Test func `no control character of a text is printed as it is, and the text stays the same`()
    throws
  {
    let text =
      String(
        String.UnicodeScalarView((0x7F...0xFF).compactMap(Unicode.Scalar.init)))
      + "é\u{2028}Â\u{9B}2J"
    let plain = Array("{\"name\":\"\(text)\"}".utf8)
    let printed = JSONText.escapingControls(plain)
    let scalars = String(decoding: printed, as: UTF8.self).unicodeScalars
    #expect(!scalars.contains { $0.properties.generalCategory == .control })
    let read = try JSONDecoder().decode([String: String].self, from: Data(printed))
    #expect(read["name"] == text)
  }
}
