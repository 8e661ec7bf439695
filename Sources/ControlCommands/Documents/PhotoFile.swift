// A picture on the person's disk: read, and looked at before anything is asked of the agent, so that
// a file which is none is refused before a contact is made for it.

import Foundation
import Images
import Records

/// A picture to be a contact's photo.
struct PhotoFile: Sendable {
  /// Its content.
  let bytes: [UInt8]
  /// What it is: `image/jpeg`.
  let mediaType: String

  /// Reads the file at `path`; `-` is the input.
  /// - Throws: what `InputFile.open` throws; `inputOutput` when its disk fails, `invalidArguments`
  ///   or `limitExceeded` when it is no picture that is taken.
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

  /// Reads a little more than may be taken, and no more.
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
