// The check of a file that becomes a photo, of a contact or of a post. The command checks the file before it
// sends anything, and the agent checks what it receives, so both give the same sentences.

import ByteCounts
import Records

/// The check of a file that becomes a photo.
package enum PhotoCheck {
  /// The largest photo, in bytes.
  package static let bytesMaximum = 20_000_000

  /// Reads a file of `byteCount` bytes to its end, and returns its format and size.
  /// - Parameter limit: The largest allowed file, in bytes, if the broker allows less than `bytesMaximum`.
  /// - Throws: `invalidArguments` or `limitExceeded` with a sentence for people; any error of `read`.
  package static func probe(
    byteCount: Int, limit: Int = bytesMaximum, read: @escaping ImageWholeness.Reading
  ) throws -> ImageProbe {
    guard byteCount > 0 else {
      throw RecordsError(
        .invalidArguments, "The file is empty.", hint: "Choose another file.", field: "photo")
    }
    guard byteCount <= limit else { throw tooLarge(byteCount, limit: limit) }
    let probe = try ImageProbe(head: read(0, min(byteCount, ImageProbe.headBytes)))
    try ImageWholeness.check(probe.format, byteCount: byteCount, read: read)
    return probe
  }

  /// The error for a file above `limit` bytes. `byteCount` is `nil` if the length of the file is unknown.
  package static func tooLarge(_ byteCount: Int?, limit: Int = bytesMaximum) -> RecordsError {
    let allowed = ByteCount(limit).limit
    let sentence =
      byteCount.map { "The photo is \(ByteCount($0)); the largest allowed is \(allowed)." }
      ?? "The photo is larger than \(allowed), the largest allowed."
    return RecordsError(
      .limitExceeded, sentence, hint: "Make it smaller first.", field: "photo")
  }
}
