// A file that a command was asked to write. It appears when it is whole, so that one of before is
// never left half overwritten; and nobody else may read it, because it holds people's addresses and
// pictures. What is no plain file – a device, a pipe – is written to and stays what it is: moving a
// file to its place would put an end to it.

import Foundation
import Glibc
import WholeFiles

/// A file that is being written.
struct OutputFile {
  private enum Target {
    /// A plain file, or none yet.
    case whole(WholeFile)
    /// What is no plain file.
    case stream(Int32)
  }

  /// What was asked for, for messages.
  private let name: String
  private let target: Target

  /// Begins a file at `name`.
  /// - Throws: `cannotCreate` when nothing may be written there.
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
    // The file itself, behind any links.
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

  /// Makes it appear, once it is on the disk.
  func finish() throws(ControlFailure) {
    switch target {
    case .whole(let file): try orFail { () throws(WholeFile.Failure) in try file.finish() }
    case .stream(let descriptor):
      guard Glibc.close(descriptor) == 0 else {
        throw Self.failure(name, errno, .inputOutput)
      }
    }
  }

  /// Leaves everything as it was before.
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
