// A disk that fails at the n-th call on one file; see disk_faults.h for what each kind does.

import Foundation

/// What goes wrong with a disk, and when.
package struct FailingDisk: Hashable, Sendable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    case write, sync, full, torn, cut
  }

  /// What goes wrong.
  package let kind: Kind
  /// At which call, from 1.
  package let call: Int
  /// Part of the path of the files it happens to.
  package let path: String

  /// A disk that fails so.
  package init(_ kind: Kind, atCall call: Int, of path: String) {
    self.kind = kind
    self.call = call
    self.path = path
  }

  /// What a program is started with to meet it.
  package var environment: [String: String] {
    [
      "LD_PRELOAD": RunningProgram.path(of: "libDiskFaults.so"),
      "DISK_FAULT": "\(kind.rawValue):\(call):\(path)",
    ]
  }
}
