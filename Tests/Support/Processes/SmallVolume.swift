import Foundation
import Glibc

/// A small disk of a test, so that it is really full when it is full.
package final class SmallVolume: Sendable {
  /// Why this machine permits none; `nil` if it does.
  package static let obstacle: String? = {
    do {
      _ = try SmallVolume(mebibytes: 1)
      return nil
    } catch {
      return "\(error)"
    }
  }()

  /// The directory where the disk is mounted.
  package let directory: TemporaryDirectory

  /// Mounts an empty disk.
  /// - Throws: a sentence if that is not permitted.
  package init(mebibytes: Int) throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(mebibytes)m,mode=0755") == 0 else {
      throw Failure(reason: errno)
    }
  }

  deinit { umount2(directory.path, Int32(MNT_DETACH)) }

  /// Occupies a part of the disk until `removeBallast`.
  package func addBallast(mebibytes: Int) throws {
    try directory.write([UInt8](repeating: 1, count: mebibytes << 20), to: Self.ballast)
  }

  /// Makes room.
  package func removeBallast() throws {
    try FileManager.default.removeItem(atPath: directory.file(Self.ballast))
  }

  private static let ballast = "ballast"

  /// Why no disk can be mounted.
  private struct Failure: Error, CustomStringConvertible {
    let reason: Int32

    var description: String { "This machine permits no test to mount a disk (error \(reason))." }
  }
}
