// Cuts a stream into payloads, whatever pieces it arrives in. Nothing is set aside on the word of a
// length: a payload is held only as far as its bytes have come, and a length that breaks the bound
// is refused before any of it is kept. At most one frame and what the last read brought is held.

import Records

/// Collects bytes and hands out the payloads of whole frames.
package struct FrameDecoder: Sendable {
  private let frameBytesMaximum: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isBroken = false

  /// A decoder at the start of a stream that refuses payloads longer than `frameBytesMaximum`.
  package init(frameBytesMaximum: Int = Limits.frameBytes) {
    self.frameBytesMaximum = frameBytesMaximum
  }

  /// How many bytes wait for the rest of their frame.
  package var bufferedByteCount: Int { buffer.count - start }

  /// Takes what the stream brought. Call `next` until it returns `nil` before appending again, so
  /// that at most one unfinished frame is held. After an error nothing is kept any more.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    guard !isBroken else { return }
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// The next whole payload, never empty; `nil` until more bytes come.
  /// - Throws: `limitExceeded` for a length over the bound, `invalidArguments` for an empty frame.
  ///   The stream cannot be read on after either, and every later call throws again.
  package mutating func next() throws(RecordsError) -> [UInt8]? {
    guard !isBroken else { throw Self.broken }
    guard bufferedByteCount >= FramePrefix.byteCount else { return nil }
    let length = announcedLength
    guard length >= 1, length <= frameBytesMaximum else {
      isBroken = true
      buffer = []
      start = 0
      guard length > 0 else { throw .invalid("A frame is empty.") }
      throw .limit("Bytes of a frame", limit: frameBytesMaximum, actual: length)
    }
    let payloadStart = start + FramePrefix.byteCount
    guard buffer.count - payloadStart >= length else { return nil }
    start = payloadStart + length
    return Array(buffer[payloadStart..<start])
  }

  private static let broken = RecordsError.invalid("The stream was already found to be malformed.")

  private var announcedLength: Int {
    buffer[start..<start + FramePrefix.byteCount].reduce(0) { $0 << 8 | Int($1) }
  }

  // Moves the unread rest to the front only when as much was read as is left: each byte moves at
  // most once for every byte handed out. What a long frame grew is given back when nothing is left.
  private mutating func compact() {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
      start = 0
    } else if start >= buffer.count - start {
      buffer.removeFirst(start)
      start = 0
    }
  }
}
