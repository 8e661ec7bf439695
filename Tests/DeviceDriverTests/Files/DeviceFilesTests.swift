// The files of a device and their rows: which files the cleanup at a start deletes.

import AssetFiles
import Logging
import Processes
import Records
import Testing

@testable import DeviceDriver

@Suite("I19 the device's files", .timeLimit(.minutes(5)))
struct DeviceFilesTests {
  private let directory: TemporaryDirectory
  private let files: DeviceFiles

  init() throws {
    directory = try TemporaryDirectory()
    files = try DeviceFiles(directory: directory.path, logger: DrivenDevice.logger)
  }

  /// Waits until the thread of the files has done everything before.
  private func settle() async throws { _ = try await files.save([9]) }

  @Test func `a file whose row is written during the cleanup stays`() async throws {
    let photo = try await files.save([1, 2, 3])
    files.deleteOrphans { [files] _ in
      // The edit commits and unpins the file just after the rows were read.
      files.disk.unpin(photo.id)
      return []
    }
    try await settle()
    #expect(files.disk.holds(photo))
    await files.stop()
  }

  @Test func `a file that a crash left without a row is deleted, and one with a row stays`()
    async throws
  {
    let orphan = try await files.save([1, 2, 3])
    let stored = try await files.save([4, 5, 6])
    files.disk.unpin(orphan.id)
    files.disk.unpin(stored.id)
    files.deleteOrphans { digests in Set(digests).intersection([stored.id]) }
    try await settle()
    #expect(!files.disk.holds(orphan) && files.disk.holds(stored))
    await files.stop()
  }

  @Test func `a part of a new file is deleted at the next start, and a download is continued`()
    async throws
  {
    let download = "fetch-\(Asset(of: [1, 2, 3]).id)"
    for name in ["keep-left", download] { try files.disk.part(named: name).append([1]) }
    files.deleteOrphans { _ in [] }
    try await settle()
    #expect(files.disk.parts(prefix: "").map(\.name) == [download])
    await files.stop()
  }

  @Test func `a part that was not continued for a week is deleted`() async throws {
    let later = SystemClock.now().adding(seconds: 8 * 86_400)
    let files = try DeviceFiles(
      directory: directory.path, logger: DrivenDevice.logger, now: { later })
    try files.disk.part(named: "fetch-\(Asset(of: [1, 2, 3]).id)").append([1])
    files.deleteOrphans { _ in [] }
    _ = try await files.save([9])
    #expect(files.disk.parts(prefix: "").isEmpty)
    await files.stop()
    await self.files.stop()
  }

  @Test func `incomplete downloads are deleted as soon as they are not wanted`() async throws {
    let (wanted, unwanted) = (Asset(of: [1, 2, 3]), Asset(of: [4, 5, 6]))
    for asset in [wanted, unwanted] {
      try files.disk.part(named: "fetch-\(asset.id)").append([1])
    }
    let new = try await files.beginFile(byteCount: 3)
    files.deleteDownloads { digests in Set(digests).intersection([wanted.id]) }
    try await settle()
    #expect(
      Set(files.disk.parts(prefix: "").map(\.name)) == ["fetch-\(wanted.id)", new])
    await files.stop()
  }
}
