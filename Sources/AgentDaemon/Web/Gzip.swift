// The page's files as they are sent: compressed, a third of their size. They are compressed once, when the first
// browser asks for one.

import CZlib

/// The compression that every browser reads (RFC 1952).
enum Gzip {
  /// Adds the header of gzip to a window of the largest size.
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 9

  /// Returns `bytes` compressed as far as possible; `nil` if there is no memory for it.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
        ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    var source = bytes
    return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      source.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(bound)
        // One call is enough for a target of the bound's size.
        let result = deflate(&stream, Z_FINISH)
        precondition(result == Z_STREAM_END, "A file of the page was not compressed: \(result).")
        count = bound - Int(stream.avail_out)
      }
    }
  }
}
