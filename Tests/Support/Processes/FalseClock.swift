import Foundation
import Glibc

/// A wall clock that is wrong, for one program (libfaketime, Debian's package faketime).
package enum FalseClock {
  /// Why no clock can be falsified on this machine; `nil` if one can.
  package static let obstacle: String? =
    library == nil ? "This machine has no libfaketime (package faketime)." : nil

  /// Writes a script that runs a program, of this build or at an absolute path, with a clock that is off by `offset`, for
  /// example "+31d" or "-10y"; seconds have no unit. Its monotonic clock is right. Returns the path of the script.
  ///
  /// NB: the library changes the environment of the first program in which it is loaded, and Swift then finds no
  /// arguments. So that program is env.
  package static func script(
    running program: String, offset: String, in directory: TemporaryDirectory
  ) throws -> String {
    let name = "\(URL(filePath: program).lastPathComponent)\(offset)"
    let text = """
      #!/bin/sh
      export LD_PRELOAD='\(library ?? "")' FAKETIME='\(offset)' NO_FAKE_STAT=1
      export DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_FAKE_MONOTONIC=1
      exec /usr/bin/env '\(RunningProgram.path(of: program))' "$@"

      """
    try directory.write(Array(text.utf8), to: name)
    chmod(directory.file(name), 0o755)
    return directory.file(name)
  }

  private static let library: String? = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }()
}
