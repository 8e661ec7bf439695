// A file that is named on the command line to be read. What is no file is refused before it is opened: a
// pipe into which nobody writes would never open, a device might never end. The pipes that a shell puts
// in a file's place – `/dev/fd/63` – and the input itself are read like files.

import Foundation
import Glibc
import Records

/// What a verb reads: a file, or the standard input.
enum InputFile {
  /// Opens the file at `path`; `-` is the input.
  /// - Throws: `unknownItem` when it is not there, `invalidArguments` when it is no file,
  ///   `inputOutput` when it cannot be read.
  static func open(_ path: String) throws(ControlFailure) -> FileHandle {
    guard path != "-" else { return .standardInput }
    var found = stat()
    guard stat(path, &found) == 0 else {
      guard errno == EACCES else {
        throw .error(.unknownItem, "The file “\(path)” does not exist.")
      }
      throw unreadable(path)
    }
    try require(found, path)
    // NB: without waiting, should a pipe have taken the file's place since.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard fstat(descriptor, &found) == 0, fcntl(descriptor, F_SETFL, 0) == 0 else {
      throw unreadable(path)
    }
    try require(found, path)
    return handle
  }

  /// The text of the file at `path`; of the standard input for `-`.
  /// - Throws: what `open` throws; `invalidArguments` when it is too long or no text.
  static func text(at path: String) throws(ControlFailure) -> String {
    let file = try open(path)
    let bytes: Data
    do {
      bytes = try file.read(upToCount: ContactDocument.bytesMax + 1) ?? Data()
    } catch {
      throw .inputOutput("\(path) cannot be read: \((error as NSError).localizedDescription).")
    }
    guard bytes.count <= ContactDocument.bytesMax else {
      throw .content(
        "\(path) is too large; the limit is \(ContactDocument.bytesMax) bytes.",
        hint: "To add the contacts of a large file: contactsctl import")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .content("\(path) is not UTF-8 text.")
    }
    return text
  }

  private static func require(_ found: stat, _ path: String) throws(ControlFailure) {
    switch found.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR:
      throw .error(
        .invalidArguments, "“\(path)” is a folder.", hint: "Give the files in it instead.")
    case S_IFIFO where isOfShell(path): return
    case S_IFIFO: throw noFile(path, "a pipe")
    case S_IFSOCK: throw noFile(path, "a socket")
    default: throw noFile(path, "a device")
    }
  }

  private static func isOfShell(_ path: String) -> Bool {
    path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stdin"
  }

  private static func noFile(_ path: String, _ kind: String) -> ControlFailure {
    .error(
      .invalidArguments, "“\(path)” is \(kind), not a file.",
      hint: "To read a program's output, pipe it in and use “-” as the file name.")
  }

  private static func unreadable(_ path: String) -> ControlFailure {
    ControlFailure(
      code: "inputOutput", message: "Cannot read “\(path)”.", hint: "Check its permissions.",
      exitCode: .inputOutput)
  }
}
