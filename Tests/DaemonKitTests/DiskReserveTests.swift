import DaemonKit
import FoundationEssentials
import Testing

@Suite("B6 room for the moment when there is none")
struct DiskReserveTests {
  @Test func `a reserve takes its room once, gives it back, and takes it again`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("reserve")
    var reserve = DiskReserve(path: path, byteCount: 100_000)
    #expect(!reserve.isHeld)
    var holds = [reserve.hold(), reserve.hold()]
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == 100_000)
    reserve.giveBack()
    #expect(!reserve.isHeld)
    #expect(!FileManager.default.fileExists(atPath: path))
    holds.append(reserve.hold())
    // What a run before held is held again.
    var next = DiskReserve(path: path, byteCount: 100_000)
    holds.append(next.hold())
    #expect(holds == [true, true, true, true])
  }

  @Test func `without room nothing is held, and nothing left behind`() throws {
    let directory = try TemporaryDirectory()
    // More than any disk has.
    var reserve = DiskReserve(path: directory.file("reserve"), byteCount: 1 << 60)
    var holds = [reserve.hold()]
    #expect(!FileManager.default.fileExists(atPath: directory.file("reserve")))
    var nowhere = DiskReserve(path: directory.file("none/reserve"))
    holds.append(nowhere.hold())
    #expect(holds == [false, false])
  }
}
