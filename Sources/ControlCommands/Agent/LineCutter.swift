// The lines of the report of an import, as they arrive.

import Records

/// Splits a stream of bytes into lines.
struct LineCutter: Sendable {
  private static let lineBytesMax = 4 << 20
  private var line: [UInt8] = []

  /// Reads bytes and returns the lines that they complete.
  /// - Throws: `limitExceeded` for a line without an end.
  mutating func take(_ bytes: some Collection<UInt8>) throws(ControlFailure) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line += rest[..<end]
      lines.append(line)
      line = []
      rest = rest[rest.index(after: end)...]
    }
    line += rest
    guard line.count <= Self.lineBytesMax else {
      throw .error(.limitExceeded, "contactsd sent a line that is too long to read.")
    }
    return lines
  }
}
