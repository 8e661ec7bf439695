// Splits bytes into lines. Files have LF, CR or both as line ends, may begin with a byte order mark, and some
// programs on Windows write UTF-16. Only UTF-16 is decoded here, because each line of a 2.1 card may have a
// different character set.

/// Splits a stream of bytes into lines. Feed it chunks of any size, then finish it.
package struct LineReader: Sendable {
  private enum Form: Sendable {
    case unknown, bytes, utf16LittleEndian, utf16BigEndian
  }

  /// The number of the current line, from 1.
  package private(set) var number = 1
  private var form = Form.unknown
  private var head: [UInt8] = []
  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var oddByte: UInt8?
  private var highSurrogate: UInt16?
  private var overflow = false
  private let lineBytesMax: Int

  /// Creates a reader that truncates lines to `lineBytesMax`.
  package init(lineBytesMax: Int = CardLimits.lineBytes) {
    self.lineBytesMax = lineBytesMax
  }

  /// Reads a chunk. `body` receives each complete line, without its end; its number; and whether it was
  /// truncated.
  package mutating func feed(
    _ chunk: some Collection<UInt8>, _ body: ([UInt8], Int, Bool) -> Void
  ) {
    if form == .unknown {
      head.append(contentsOf: chunk)
      guard head.count >= 4 else { return }
      let first = decideForm()
      head = []
      take(first, body)
    } else {
      let done: Void? = chunk.withContiguousStorageIfAvailable { take($0, body) }
      if done == nil { take(Array(chunk), body) }
    }
  }

  /// Ends the stream; `body` receives the last line, if it has no end.
  package mutating func finish(_ body: ([UInt8], Int, Bool) -> Void) {
    if form == .unknown {
      let first = decideForm()
      head = []
      take(first, body)
    }
    if !line.isEmpty || overflow { end(body) }
  }

  /// Examines the first four bytes; returns the bytes after a byte order mark.
  private mutating func decideForm() -> [UInt8] {
    let bytes = head
    func starts(_ mark: [UInt8]) -> Bool { bytes.starts(with: mark) }
    if starts([0xEF, 0xBB, 0xBF]) {
      form = .bytes
      return Array(bytes.dropFirst(3))
    }
    if starts([0xFF, 0xFE]) || starts([0xFE, 0xFF]) {
      form = bytes[0] == 0xFF ? .utf16LittleEndian : .utf16BigEndian
      return Array(bytes.dropFirst(2))
    }
    if bytes.count >= 4, bytes[0] != 0, bytes[1] == 0, bytes[2] != 0, bytes[3] == 0 {
      form = .utf16LittleEndian
    } else if bytes.count >= 4, bytes[0] == 0, bytes[1] != 0, bytes[2] == 0, bytes[3] != 0 {
      form = .utf16BigEndian
    } else {
      form = .bytes
    }
    return bytes
  }

  private mutating func take(
    _ chunk: some RandomAccessCollection<UInt8>, _ body: ([UInt8], Int, Bool) -> Void
  ) {
    switch form {
    case .unknown, .bytes: takeBytes(chunk, body)
    case .utf16LittleEndian, .utf16BigEndian:
      for byte in chunk {
        guard let first = oddByte else {
          oddByte = byte
          continue
        }
        oddByte = nil
        let unit =
          form == .utf16LittleEndian
          ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte)
        take(unit, body)
      }
    }
  }

  private mutating func takeBytes(
    _ chunk: some RandomAccessCollection<UInt8>, _ body: ([UInt8], Int, Bool) -> Void
  ) {
    var start = chunk.startIndex
    while start < chunk.endIndex {
      if isAfterReturn, chunk[start] == UInt8(ascii: "\n") {
        isAfterReturn = false
        start = chunk.index(after: start)
        continue
      }
      isAfterReturn = false
      let end = chunk[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      keep(chunk[start..<(end ?? chunk.endIndex)])
      guard let end else { return }
      isAfterReturn = chunk[end] == UInt8(ascii: "\r")
      self.end(body)
      start = chunk.index(after: end)
    }
  }

  private mutating func take(_ unit: UInt16, _ body: ([UInt8], Int, Bool) -> Void) {
    if let high = highSurrogate {
      highSurrogate = nil
      if UTF16.isTrailSurrogate(unit) {
        let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
        return takeBytes(Array(String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8), body)
      }
      takeBytes(Array("\u{FFFD}".utf8), body)
    }
    if UTF16.isLeadSurrogate(unit) {
      highSurrogate = unit
    } else {
      let scalar = Unicode.Scalar(UInt32(unit)) ?? "\u{FFFD}"
      takeBytes(Array(String(scalar).utf8), body)
    }
  }

  private mutating func keep(_ bytes: some RandomAccessCollection<UInt8>) {
    let room = lineBytesMax - line.count
    if bytes.count > room { overflow = true }
    line.append(contentsOf: bytes.prefix(room))
  }

  private mutating func end(_ body: ([UInt8], Int, Bool) -> Void) {
    body(line, number, overflow)
    line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
    overflow = false
    number += 1
  }
}
