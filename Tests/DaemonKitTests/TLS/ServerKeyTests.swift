import DaemonKit
import Glibc
import Testing

@Suite("R2 the key of a server")
struct ServerKeyTests {
  @Test func `it is made once, and only its owner can read it`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/key.pem"
    let first = try ServerKey(path: path)
    #expect(first.digest.count == 32)
    #expect(try ServerKey(path: path).digest == first.digest)
    #expect(try ServerKey(path: directory.path + "/other.pem").digest != first.digest)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    _ = try first.context(protocols: ["contacts/1"])
  }

  @Test func `a damaged file is not replaced`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/key.pem"
    _ = try ServerKey(path: path)
    truncate(path, 100)
    let error = #expect(throws: DaemonError.self) { try ServerKey(path: path) }
    #expect(error?.exit == .content)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 100)
  }
}
