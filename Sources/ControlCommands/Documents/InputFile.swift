// Files to read from the command line. Other kinds of files are rejected before they are opened: opening a
// pipe without a writer would block for ever, and a device may have no end. Pipes from the shell, such as
// `/dev/fd/63`, and standard input are allowed.

import ByteCounts
import CStandardStreams
import Foundation
import Glibc
import Records

/// The input of a subcommand: a file, or standard input.
enum InputFile {
  /// Opens the file at `path`; `-` is standard input.
  /// - Throws: `unknownItem` if it does not exist, `invalidArguments` if it is not a regular file,
  ///   `inputOutput` if it cannot be read.
  static func open(_ path: String) throws(ControlFailure) -> FileHandle {
    if isStandardInput(path) { try requireStandardInput() }
    guard path != "-" else { return .standardInput }
    var found = stat()
    guard stat(path, &found) == 0 else {
      guard errno == EACCES else {
        throw .error(.unknownItem, "The file “\(path)” does not exist.")
      }
      throw unreadable(path)
    }
    try require(found, path)
    // NB: Non-blocking, because a pipe may have replaced the file since.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard fstat(descriptor, &found) == 0, fcntl(descriptor, F_SETFL, 0) == 0 else {
      throw unreadable(path)
    }
    try require(found, path)
    return handle
  }

  /// Returns the text of the file at `path`; of standard input for `-`.
  /// - Throws: Any error of `open`; `invalidArguments` if it is too long or not text.
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
        "\(path) is too large; the limit is \(ByteCount(ContactDocument.bytesMax).limit).",
        hint: "To add the contacts of a large file: contactsctl import")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .content("\(path) is not UTF-8 text.")
    }
    return text
  }

  /// Checks that standard input was not closed (`<&-`).
  /// - Throws: `inputOutput`.
  static func requireStandardInput() throws(ControlFailure) {
    guard standard_stream_was_closed(STDIN_FILENO) else { return }
    throw ControlFailure(
      code: "inputOutput", message: "Standard input is closed.",
      hint: "Give a file, or pipe the input into the command.", exitCode: .inputOutput)
  }

  private static func isStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
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
