// Splits a byte stream into payloads. A peer cannot make the decoder allocate memory by announcing a
// long frame: the buffer reserves at most about eight times the bytes received, and a length beyond
// the limit is rejected before any of the payload is stored. At most one frame and the last
// read are held.

import Records

/// A decoder that collects bytes from a stream and returns the payloads of complete frames.
package struct FrameDecoder: Sendable {
  /// The most bytes in a payload. May change between frames.
  package var frameBytesMaximum: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var isBroken = false

  /// Creates a decoder at the start of a stream. It rejects payloads longer than
  /// `frameBytesMaximum`.
  package init(frameBytesMaximum: Int = Limits.frameBytes) {
    self.frameBytesMaximum = frameBytesMaximum
  }

  /// The capacity of the buffer, in bytes.
  var reservedByteCount: Int { buffer.capacity }

  /// The bytes of incomplete frames and of frames not yet returned.
  package var bufferedByteCount: Int { buffer.count - start }

  /// Adds bytes from the stream. Call `next` until it returns `nil` before appending again, so that
  /// at most one incomplete frame is held. After an error, further bytes are discarded.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    guard !isBroken else { return }
    compact(beforeBytes: bytes.count)
    reserveCapacity(forBytes: bytes.count)
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next complete payload, never empty, or `nil` if more bytes are needed. A payload
  /// that makes up most of the buffer is not copied.
  /// - Throws: `limitExceeded` for a length above the limit, `invalidArguments` for an empty frame.
  ///   The stream cannot be decoded after either; every later call throws.
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
    // NB: copy a short payload, because a slice of it would keep the whole buffer in memory.
    let payload = isMost ? buffer[payloadStart..<start] : Array(buffer[payloadStart..<start])[...]
    // Release the buffer now, because the next frame may not arrive for a long time.
    if start == buffer.count {
      buffer = []
      start = 0
    }
    return payload
  }

  /// The most bytes that one read of a socket usually returns.
  private static let readBytes = 64 << 10
  /// Capacity for a frame is reserved once this fraction of it, one eighth, has arrived.
  private static let reserveDivisor = 8

  private static let broken = RecordsError.invalid("The stream was already found to be malformed.")

  private var announcedLength: Int {
    buffer[start..<start + FramePrefix.byteCount].reduce(0) { $0 << 8 | Int($1) }
  }

  // Reserves capacity for the whole of a long frame and one further read once a part of the frame
  // has arrived. Otherwise its bytes would be moved each time the buffer doubles.
  private mutating func reserveCapacity(forBytes count: Int) {
    guard start == 0, bufferedByteCount >= FramePrefix.byteCount else { return }
    let length = announcedLength
    guard length > Self.readBytes, length <= frameBytesMaximum,
      buffer.capacity < FramePrefix.byteCount + length,
      buffer.count + count >= length / Self.reserveDivisor
    else { return }
    buffer.reserveCapacity(FramePrefix.byteCount + length + Self.readBytes)
  }

  // Moves the unread bytes to a new buffer, once at least as many bytes have been returned as
  // remain. Each byte is therefore moved at most once per byte returned.
  //
  // NB: moving within the old buffer would first copy all of it if a returned payload still refers
  // to it.
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
