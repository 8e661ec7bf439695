// modules: Records Images
//
// Whatever a file holds, looking at its head ends soon, with a format and a size within the bounds or
// with a sentence. Only the head counts: what stands behind it makes no difference to a picture that
// was recognised, but for those made of boxes, whose last one may have been cut.

import Glibc
import Images
import Records

/// One input: a file's head.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictures(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(RecordsError) {
    let probe = try ImageProbe(head: bytes, byteCount: bytes.count)
    require(probe.width > 0 && probe.height > 0, "A picture has no size.")
    require(
      max(probe.width, probe.height) <= 20_000 && probe.width * probe.height <= 100_000_000,
      "A picture of \(probe.width) × \(probe.height) was let through.")
    guard probe.format != .heic, probe.format != .avif else { return 0 }
    let longer = bytes + [0xFF, 0xC0, 0, 8, 0, 0, 1, 0, 1] + bytes
    require(
      (try? ImageProbe(head: longer, byteCount: longer.count)) == probe,
      "What stands behind a picture made a difference.")
  } catch {
    require(!error.message.isEmpty && error.field == "photo", "An error says nothing.")
    let isSizeRefused = (try? ImageProbe(head: bytes, byteCount: .max)) == nil
    require(isSizeRefused, "A file of any length was let through.")
  }
  return 0
}

/// Ends the process with a sentence, which an optimized `precondition` does not print.
private func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  guard !condition else { return }
  let bytes = Array((sentence() + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  preconditionFailure("See above.")
}
