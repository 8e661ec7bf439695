import Records

/// Text that another program printed, for an error message.
enum PrintedText {
  private static let bytesMaximum = 300

  /// Returns the text on one line, without control characters, cut to a few hundred bytes.
  static func line(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    let words = text.split { character in
      character.isWhitespace
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.joined(separator: " ").cut(toBytes: bytesMaximum)
  }

  /// Returns the last line that is not blank, in the same form.
  static func lastLine(_ bytes: [UInt8]) -> String {
    bytes.split(separator: UInt8(ascii: "\n")).map(line).last { !$0.isEmpty } ?? ""
  }
}
