// A picture on the user's disk. It is read and checked before the first request, so that an invalid file is
// rejected before a contact is created for it.

import Foundation
import Images
import Records

/// A picture for the photo of a contact or of a post.
struct PhotoFile: Sendable {
  /// Its content.
  let bytes: [UInt8]
  /// Its media type: `image/jpeg`.
  let mediaType: String

  /// Reads the file at `path`; `-` is standard input.
  /// - Throws: Any error of `InputFile.open`; `inputOutput` if its disk fails, `invalidArguments` or
  ///   `limitExceeded` if the picture is not accepted.
  init(path: String) throws(ControlFailure) {
    let bytes = try Self.read(path)
    do {
      let probe = try PhotoCheck.probe(byteCount: bytes.count) { offset, count in
        Array(bytes[offset..<min(bytes.count, offset + count)])
      }
      mediaType = probe.format.rawValue
    } catch {
      throw Self.refused(error as? RecordsError ?? .invalid("The file cannot be read."), path)
    }
    self.bytes = bytes
  }

  /// Reads the file, but stops once it exceeds the limit.
  private static func read(_ path: String) throws(ControlFailure) -> [UInt8] {
    let file = try InputFile.open(path)
    var found = stat()
    let isFile = fstat(file.fileDescriptor, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
    let size = isFile ? Int(found.st_size) : nil
    guard (size ?? 0) <= PhotoCheck.bytesMaximum else {
      throw refused(PhotoCheck.tooLarge(size), path)
    }
    var bytes: [UInt8] = []
    do {
      while bytes.count <= PhotoCheck.bytesMaximum,
        let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty
      {
        bytes += piece
      }
    } catch {
      throw ControlFailure(
        code: "inputOutput", message: "Cannot read “\(path)”.",
        hint: "Check the disk it is on.", exitCode: .inputOutput)
    }
    // NB: The length of a pipe is unknown, and a file may have grown since.
    guard bytes.count <= PhotoCheck.bytesMaximum else {
      throw refused(PhotoCheck.tooLarge(nil), path)
    }
    return bytes
  }

  private static func refused(_ error: RecordsError, _ path: String) -> ControlFailure {
    let name = path == "-" ? "Standard input" : path
    return .error(error.code, "\(name): \(error.message)", hint: error.hint)
  }
}
