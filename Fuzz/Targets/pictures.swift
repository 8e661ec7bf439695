// modules: Records ByteCounts Images
//
// Checks the picture reader with any bytes. Reading the head of a file always ends soon, with a format and
// a size within the limits, or with an error. Bytes after the head make no difference for a recognized
// picture, except in formats made of boxes, whose last box may have been cut.

import Glibc
import Images
import Records

/// Runs one input: the head of a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictures(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(RecordsError) {
    let probe = try ImageProbe(head: bytes)
    require(probe.width > 0 && probe.height > 0, "A picture has no size.")
    require(
      max(probe.width, probe.height) <= 20_000 && probe.width * probe.height <= 100_000_000,
      "A picture of \(probe.width) × \(probe.height) was accepted.")
    guard probe.format != .heic, probe.format != .avif else { return 0 }
    let longer = bytes + [0xFF, 0xC0, 0, 8, 0, 0, 1, 0, 1] + bytes
    require(
      (try? ImageProbe(head: longer)) == probe,
      "Bytes after a picture changed the result.")
  } catch {
    require(
      !error.message.isEmpty && error.field == "photo",
      "An error has no message, or not the field “photo”.")
  }
  return 0
}

/// Ends the process and prints `sentence`, which an optimized `precondition` would not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("The sentence above describes the failure.")
}
