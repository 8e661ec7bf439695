import Foundation
import Glibc
import Testing

@testable import DaemonKit

@Suite("B6 directories for their owner alone")
struct PrivateDirectoryTests {
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "private-\(UInt64.random(in: 0 ... .max))").path

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test func `a directory is made with its missing parents, and those that exist keep their modes`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(mkdir(root, 0o755) == 0)
    #expect(chmod(root, 0o755) == 0)
    #expect(PrivateDirectory.make("\(root)/a//b/c/") == 0)
    #expect(mode(root) == 0o755)
    #expect(mode("\(root)/a") == 0o700 && mode("\(root)/a/b/c") == 0o700)
    #expect(PrivateDirectory.make("\(root)/a/b") == 0)
    #expect(PrivateDirectory.make("/") == 0)
  }

  @Test func `a file in the place of a directory is an error`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(PrivateDirectory.make(root) == 0)
    #expect(FileManager.default.createFile(atPath: "\(root)/file", contents: nil))
    #expect(PrivateDirectory.make("\(root)/file") == ENOTDIR)
    #expect(PrivateDirectory.make("\(root)/file/a") == ENOTDIR)
    #expect(!PrivateDirectory.isDirectory("\(root)/file"))
    #expect(!PrivateDirectory.isDirectory("\(root)/nothing"))
  }

  @Test func `checking for a directory leaves the system's error number`() {
    errno = EPERM
    _ = PrivateDirectory.isDirectory("\(root)/nothing")
    let number = errno
    #expect(number == EPERM)
  }

  @Test func `root has the number 0, and an unknown user none`() {
    #expect(UserTable.number(of: "root") == 0)
    #expect(UserTable.number(of: "no-such-user-\(getpid())") == nil)
    #expect(UserTable.number(of: "") == nil)
  }
}
