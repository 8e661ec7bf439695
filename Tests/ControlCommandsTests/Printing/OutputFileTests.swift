import FoundationEssentials
import Glibc
import Testing

@testable import ControlCommands

@Suite("C4 files that are written")
struct OutputFileTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test func `a file appears when it is whole, for its owner alone`() throws {
    let path = folder + "/book.vcf"
    let file = try OutputFile(path: path)
    try file.write(Array("whole".utf8))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.finish()
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "whole")
    var found = stat()
    #expect(stat(path, &found) == 0 && found.st_mode & 0o777 == 0o600)
  }

  @Test func `what is given up leaves the file of before`() throws {
    let path = folder + "/book.vcf"
    try "before".write(to: URL(filePath: path), atomically: true, encoding: .utf8)
    let file = try OutputFile(path: path)
    try file.write(Array("half".utf8))
    file.discard()
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "before")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["book.vcf"])
  }

  /// An export or a photo written to /dev/null by root put a file in its place.
  @Test func `a device or a pipe is written to and stays what it is`() throws {
    let path = folder + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let file = try OutputFile(path: path)
    try file.write(Array("through".utf8))
    try file.finish()
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(read(reader, &buffer, 16) == 7)
    var found = stat()
    #expect(stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `a symbolic link with the name of the partial file is not followed`() throws {
    let (path, other) = (folder + "/book.vcf", folder + "/other")
    try "mine".write(to: URL(filePath: other), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: path + ".part", withDestinationPath: other)
    let file = try OutputFile(path: path)
    try file.write(Array("book".utf8))
    try file.finish()
    #expect(try String(contentsOf: URL(filePath: other), encoding: .utf8) == "mine")
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "book")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.sorted() == ["book.vcf", "book.vcf.part", "other"])
  }

  @Test func `a name without a folder is one beside`() throws {
    let name = "output-\(UUID()).vcf"
    let file = try OutputFile(path: name)
    defer { unlink(name) }
    try file.write([1])
    try file.finish()
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test func `a link keeps pointing where it did`() throws {
    let (path, link) = (folder + "/real.vcf", folder + "/link.vcf")
    try "before".write(to: URL(filePath: path), atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let file = try OutputFile(path: link)
    try file.write(Array("after".utf8))
    try file.finish()
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "after")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path)
  }
}
