import Glibc
import Testing
import WholeFiles

@Suite("A lock on a file")
struct FileLockTests {
  private let path = "/tmp/lock-\(UInt64.random(in: 0 ... .max))"

  @Test func `a held lock names its process, and is free once it is released`() throws {
    defer { unlink(path) }
    var lock: FileLock? = try FileLock(at: path)
    #expect(throws: FileLock.Failure.held(by: getpid())) { _ = try FileLock(at: path) }
    lock?.write(["/run/a.sock"])
    #expect(FileLock.lines(ofHolder: path) == ["/run/a.sock"])
    #expect(throws: FileLock.Failure.held(by: getpid())) { _ = try FileLock(at: path) }
    lock = nil
    // The lines of a former holder do not count.
    #expect(FileLock.lines(ofHolder: path) == nil)
    _ = try FileLock(at: path)
  }

  @Test func `a released lock is free although a child still has a copy of its descriptor`() throws
  {
    defer { unlink(path) }
    var lock: FileLock? = try FileLock(at: path)
    let copies = (3..<256).filter { link(of: $0) == path }.map { dup(Int32($0)) }
    try #require(!copies.isEmpty)
    defer { for copy in copies { close(copy) } }
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try FileLock(at: path)
  }

  /// The path of the file behind a descriptor of this process.
  private func link(of descriptor: Int) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    return String(
      decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test func `a file that cannot be created has the system's error`() {
    #expect(throws: FileLock.Failure.system(ENOENT)) {
      _ = try FileLock(at: "/tmp/none-\(UInt64.random(in: 0 ... .max))/lock")
    }
    #expect(FileLock.lines(ofHolder: path) == nil)
  }

  @Test func `only the user can read the file`() throws {
    defer { unlink(path) }
    let lock = try FileLock(at: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(lock) {}
  }
}
