import Foundation

/// A disk that fails at the n-th call on matching files; disk_faults.h describes each kind of failure.
package struct FailingDisk: Hashable, Sendable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    case write, sync, full, torn, cut
  }

  /// The kind of failure.
  package let kind: Kind
  /// The number of the call that fails, from 1.
  package let call: Int
  /// A part of the path of the affected files.
  package let path: String

  package init(_ kind: Kind, atCall call: Int, of path: String) {
    self.kind = kind
    self.call = call
    self.path = path
  }

  /// The environment that makes a program use this disk.
  package var environment: [String: String] {
    [
      "LD_PRELOAD": RunningProgram.path(of: "libDiskFaults.so"),
      "DISK_FAULT": "\(kind.rawValue):\(call):\(path)",
    ]
  }
}
