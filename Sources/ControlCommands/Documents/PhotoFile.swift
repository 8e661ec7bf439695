// A picture on the user's disk. It is read and checked before the first request, so that an invalid file is
// rejected before a contact is created for it.

import Foundation
import Images
import Records

/// A picture for a contact's photo.
struct PhotoFile: Sendable {
  /// Its content.
  let bytes: [UInt8]
  /// Its media type: `image/jpeg`.
  let mediaType: String

  /// Reads the file at `path`; `-` is standard input.
  /// - Throws: Any error of `InputFile.open`; `inputOutput` if its disk fails, `invalidArguments` or
  ///   `limitExceeded` if the picture is not accepted.
  init(path: String) throws(ControlFailure) {
    bytes = try Self.read(path)
    guard !bytes.isEmpty else {
      throw .error(.invalidArguments, "\(path): The file is empty.", hint: "Choose another file.")
    }
    do throws(RecordsError) {
      let probe = try ImageProbe(
        head: Array(bytes.prefix(ImageProbe.headBytes)), byteCount: bytes.count)
      mediaType = probe.format.rawValue
    } catch {
      throw .error(error.code, "\(path): \(error.message)", hint: error.hint)
    }
  }

  /// Reads the file, but stops once it exceeds the limit.
  private static func read(_ path: String) throws(ControlFailure) -> [UInt8] {
    let file = try InputFile.open(path)
    do {
      var bytes: [UInt8] = []
      while bytes.count <= ImageProbe.bytesMaximum,
        let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty
      {
        bytes += piece
      }
      return bytes
    } catch {
      throw ControlFailure(
        code: "inputOutput", message: "Cannot read “\(path)”.",
        hint: "Check the disk it is on.", exitCode: .inputOutput)
    }
  }
}
