// Installs the programs of this build into a directory, as the package does, and starts them there.

import Foundation
import Processes
import Testing

@Suite("The installed programs", .timeLimit(.minutes(5)))
struct InstalledProgramsTests {
  private let folder: TemporaryDirectory
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Runs a command and returns what it prints.
  private func output(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command]
    process.environment = ["PATH": "/usr/bin:/bin", "PREFIX": "/usr", "DESTDIR": folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `each program starts, and the stripped file has the names of functions`() throws {
    let built = URL(filePath: RunningProgram.path(of: "contactsd")).deletingLastPathComponent()
    _ = try output("\(root.path)/scripts/install \(built.path)")
    for program in ["contacts-broker", "contactsd", "contactsctl"] {
      let version = try output("\(folder.file("usr/bin/\(program)")) --version")
      #expect(version.hasPrefix("\(program) "))
    }
    let file = folder.file("usr/lib/contacts/programs")
    #expect(try output("nm \(file) | grep -c ' T .*15ControlCommands'") != "0\n")
    #expect(try output("readelf --sections --wide \(file)").contains(".debug_info") == false)
  }

  @Test func `the package demands the glibc that reads compact relocations`() throws {
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    let script = try String(
      contentsOf: root.appending(path: "scripts/package-deb"), encoding: .utf8)
    #expect(manifest.contains("pack-relative-relocs") == script.contains("libc6 (>= 2.36)"))
  }
}
