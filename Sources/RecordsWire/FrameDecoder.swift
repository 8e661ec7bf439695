// Cuts a stream into payloads, whatever pieces it arrives in. Nothing is set aside on the word of a
// length: room is made for about eight times what has come of a frame at most, and a length that breaks
// the bound is refused before any of it is kept. At most one frame and what the last read brought is held.

import Records

/// Collects bytes and hands out the payloads of whole frames.
package struct FrameDecoder: Sendable {
  /// What a payload may have at most; may change between frames.
  package var frameBytesMaximum: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isBroken = false

  /// A decoder at the start of a stream that refuses payloads longer than `frameBytesMaximum`.
  package init(frameBytesMaximum: Int = Limits.frameBytes) {
    self.frameBytesMaximum = frameBytesMaximum
  }

  /// For how many bytes there is room without asking for memory.
  var reservedByteCount: Int { buffer.capacity }

  /// How many bytes wait for the rest of their frame.
  package var bufferedByteCount: Int { buffer.count - start }

  /// Takes what the stream brought. Call `next` until it returns `nil` before appending again, so
  /// that at most one unfinished frame is held. After an error nothing is kept any more.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    guard !isBroken else { return }
    compact(beforeBytes: bytes.count)
    makeRoom(forBytes: bytes.count)
    buffer.append(contentsOf: bytes)
  }

  /// The next whole payload, never empty; `nil` until more bytes come. One that is most of what is held
  /// here is not copied.
  /// - Throws: `limitExceeded` for a length over the bound, `invalidArguments` for an empty frame.
  ///   The stream cannot be read on after either, and every later call throws again.
  package mutating func next() throws(RecordsError) -> ArraySlice<UInt8>? {
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
    let isMost = length >= buffer.count / 2
    // NB: or who keeps a short one would keep with it all that came before.
    let payload = isMost ? buffer[payloadStart..<start] : Array(buffer[payloadStart..<start])[...]
    // Who waits long for the next frame holds nothing meanwhile.
    if start == buffer.count {
      buffer = []
      start = 0
    }
    return payload
  }

  /// What one read of a socket brings at most, usually.
  private static let readBytes = 64 << 10
  /// Which part of a frame has to be here before room is made for the rest.
  private static let partForRoom = 8

  private static let broken = RecordsError.invalid("The stream was already found to be malformed.")

  private var announcedLength: Int {
    buffer[start..<start + FramePrefix.byteCount].reduce(0) { $0 << 8 | Int($1) }
  }

  // Of a long frame of which a part has come there is room for all at once, and for what is read with
  // its end: else its bytes would be moved with every doubling.
  private mutating func makeRoom(forBytes count: Int) {
    guard start == 0, bufferedByteCount >= FramePrefix.byteCount else { return }
    let length = announcedLength
    guard length > Self.readBytes, length <= frameBytesMaximum,
      buffer.capacity < FramePrefix.byteCount + length,
      buffer.count + count >= length / Self.partForRoom
    else { return }
    buffer.reserveCapacity(FramePrefix.byteCount + length + Self.readBytes)
  }

  // Moves the unread rest to a buffer of its own, only when as much was read as is left: each byte
  // moves at most once for every byte handed out.
  //
  // NB: not within the old buffer, which others may hold payloads of: all of it would be copied first.
  private mutating func compact(beforeBytes count: Int) {
    let unread = buffer[start...]
    guard start > 0, start >= unread.count else { return }
    var rest: [UInt8] = []
    rest.reserveCapacity(unread.count + count)
    rest += unread
    buffer = rest
    start = 0
  }
}
