import Records
import Testing

@testable import BrokerDaemon
@testable import BrokerStore

@Suite("D5 what a backup says about losses")
struct BrokerBackupTests {
  private func report(damaged: Int, files: Int) throws -> BackupReport {
    var mending = BrokerArchive.RepairReport()
    mending.damaged = (0..<min(damaged, 100)).map { "Version \($0) is damaged." }
    mending.damagedCount = damaged
    var report = BackupReport(mending)
    report.lostFiles = try (0..<files).map {
      try #require(AssetDigest(bytes: Array(repeating: UInt8($0), count: 32)))
    }
    return report
  }

  @Test(arguments: [0, 1, 99, 100, 101, 250], [0, 1, 100, 101, 250])
  func `each loss has a sentence, up to a hundred, and the others are counted`(
    damaged: Int, files: Int
  ) throws {
    let report = try report(damaged: damaged, files: files)
    #expect(report.hasLosses == (damaged + files > 0))
    let counted = report.sentences.filter { $0.contains(" more ") }
    var expected: [String] = []
    if damaged > 100 { expected.append("\(damaged - 100) more record versions are damaged.") }
    if files > 100 { expected.append("\(files - 100) more files are missing or damaged.") }
    #expect(counted == expected)
    #expect(
      report.sentences.count == min(damaged, 100) + min(files, 100) + expected.count)
  }
}
