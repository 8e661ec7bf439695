// A file that a command writes. It appears only when it is complete, so that an existing file is never half
// overwritten. Only its owner can read it, because it contains people's addresses and pictures. Devices and
// pipes are written directly and not replaced, because renaming a file over them would destroy them.

import Foundation
import Glibc
import WholeFiles

/// A file that is being written.
struct OutputFile {
  private enum Target {
    /// A regular file, or none yet.
    case whole(WholeFile)
    /// A device or a pipe.
    case stream(Int32)
  }

  /// The path from the command line, for messages.
  private let name: String
  private let target: Target

  /// Begins a file at `name`.
  /// - Throws: `cannotCreate` if it cannot be written.
  init(path name: String) throws(ControlFailure) {
    self.name = name
    var found = stat()
    let isThere = stat(name, &found) == 0
    guard !isThere || found.st_mode & S_IFMT == S_IFREG else {
      let descriptor = open(name, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(name, errno, .cannotCreate) }
      target = .stream(descriptor)
      return
    }
    // The file itself, after resolving links.
    let path = isThere ? URL(filePath: name).resolvingSymlinksInPath().path : name
    do {
      target = .whole(try WholeFile(at: path))
    } catch {
      throw Self.failure(name, error.number, .cannotCreate)
    }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8]) throws(ControlFailure) {
    switch target {
    case .whole(let file): try orFail { () throws(WholeFile.Failure) in try file.write(bytes) }
    case .stream(let descriptor):
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { throw Self.failure(name, errno, .inputOutput) }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  /// Moves the file to its path once it is on the disk.
  func finish() throws(ControlFailure) {
    switch target {
    case .whole(let file): try orFail { () throws(WholeFile.Failure) in try file.finish() }
    case .stream(let descriptor):
      guard Glibc.close(descriptor) == 0 else {
        throw Self.failure(name, errno, .inputOutput)
      }
    }
  }

  /// Removes the incomplete file.
  func discard() {
    switch target {
    case .whole(let file): file.discard()
    case .stream(let descriptor): close(descriptor)
    }
  }

  private func orFail(
    _ body: () throws(WholeFile.Failure) -> Void
  ) throws(ControlFailure) {
    do {
      try body()
    } catch {
      throw Self.failure(name, error.number, .inputOutput)
    }
  }

  private static func failure(
    _ name: String, _ number: Int32, _ status: ExitStatus
  ) -> ControlFailure {
    ControlFailure(
      code: status == .cannotCreate ? "cannotCreate" : "inputOutput",
      message: "“\(name)” cannot be \(status == .cannotCreate ? "created" : "written"): "
        + "\(String(cString: strerror(number))).",
      hint: "Check the permissions and the free disk space.", exitCode: status)
  }
}
