// Asset files in copies between all kinds of stores: every byte arrives, files that are there are not written again, and
// a source with a missing or damaged file is not sealed.

import AssetFiles
import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import Glibc
import Records
import SQLConnections
import Testing

@Suite("I19, S4 copied asset files")
struct CopiedFilesTests {
  private struct Interruption: Error {}

  private func world(_ kind: CopiedPlace.Kind) throws -> CopiedPlace {
    let place = try CopiedPlace.make(kind)
    _ = try CopiedWorld(place)
    return place
  }

  /// Removes or damages the photo of a world.
  private func damage(_ place: CopiedPlace, isMissing: Bool) throws {
    let photo = CopiedWorld.photo
    switch place.address {
    case .directory(let path):
      let file = try AssetFiles(directory: "\(path)/assets", reserveBytes: 0).path(of: photo.id)
      if isMissing { #expect(unlink(file) == 0) } else { #expect(truncate(file, 599_999) == 0) }
    case .server:
      try place.withDatabase { db in
        try db.run(
          isMissing
            ? "DELETE FROM asset_file WHERE digest = ?"
            : "UPDATE asset_chunk SET bytes = 'other' WHERE number = 1 AND digest = ?",
          [photo.digest])
      }
    }
  }

  private func refusal(_ body: () throws -> Void) -> StoreCopy.Refusal? {
    #expect(throws: StoreCopy.Refusal.self, performing: body)
  }

  @Test(arguments: StoreCopyTests.Route.all)
  func `the files are counted and compared`(route: StoreCopyTests.Route) throws {
    let (from, to) = (try world(route.from), try CopiedPlace.make(route.to))
    var result = StoreCopy.Result()
    try from.copy(to: to) { result.add($0) }
    #expect(result.files.files == 1 && result.files.lost == 0)
    #expect(result.files.bytes == CopiedWorld.photoBytes.count)
    let content = try to.files().open(CopiedWorld.photo.id, verified: nil)
    let bytes = try content.bytes(from: 0, count: .max)
    #expect(bytes.elementsEqual(CopiedWorld.photoBytes))
  }

  @Test(arguments: StoreCopyTests.Route.all, [true, false])
  func `a missing or damaged file is named, and the source is not sealed`(
    route: StoreCopyTests.Route, isMissing: Bool
  ) throws {
    let (from, to) = (try world(route.from), try CopiedPlace.make(route.to))
    try damage(from, isMissing: isMissing)
    let found = refusal { try from.copy(to: to) }
    guard case .lostFiles(let name, 1) = found else {
      Issue.record("The file was not missed: \(String(describing: found))")
      return
    }
    #expect(name.contains(CopiedWorld.photo.id.description))
    _ = try from.open()
    let files = try from.files()
    try files.add(CopiedWorld.photo) { Array(CopiedWorld.photoBytes[$0..<$0 + $1]) }
    try from.copy(to: to)
    try to.files().verify(CopiedWorld.photo.id)
  }

  @Test(arguments: StoreCopyTests.Route.all)
  func `a file that the broker knows to be lost is not in the way`(
    route: StoreCopyTests.Route
  ) throws {
    let (from, to) = (try world(route.from), try CopiedPlace.make(route.to))
    try damage(from, isMissing: true)
    do {
      let store = try from.open()
      try store.transact {
        _ = try $0.recordAssets(lost: [CopiedWorld.photo.id], found: [], at: time(9))
      }
    }
    var result = StoreCopy.Result()
    try from.copy(to: to) { result.add($0) }
    #expect(result.files.files == 0 && result.files.lost == 1)
    #expect(try to.open().isLost(CopiedWorld.photo.id))
  }

  @Test(arguments: StoreCopyTests.Route.all)
  func `a file that is damaged at the target is written again, an intact one is not read`(
    route: StoreCopyTests.Route
  ) throws {
    let (from, to) = (try world(route.from), try CopiedPlace.make(route.to))
    let interrupted = #expect(throws: StoreError.self) {
      try from.copy(to: to) { if case .filed = $0 { throw Interruption() } }
    }
    #expect(interrupted?.message.contains("Interruption") == true)
    if case .directory = to.address {
      try damage(to, isMissing: false)
      try from.copy(to: to)
    } else {
      // Without its file the source could not be copied if the copy did not have it.
      try damage(from, isMissing: true)
      try from.copy(to: to)
    }
    try to.files().verify(CopiedWorld.photo.id)
  }
}
