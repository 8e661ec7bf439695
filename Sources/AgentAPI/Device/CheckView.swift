/// The result of a check of the device's data.
package struct CheckView: Codable, Hashable, Sendable {
  package var schema = 1
  /// What is damaged in the database, a sentence each.
  package var findings: [String]
  /// The digests of files that the broker has lost.
  package var lostFiles: [String]

  package init(findings: [String], lostFiles: [String]) {
    self.findings = findings
    self.lostFiles = lostFiles
  }
}
