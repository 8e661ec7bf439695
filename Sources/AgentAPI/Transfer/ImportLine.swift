// The report of an import: one object in each line, with one of four keys. The report is written while the
// import runs; without a last line, a summary or an error, it is incomplete.

/// One line of the report of an import.
package struct ImportLine: Codable, Hashable, Sendable {
  @Sparse package var contact: Contact?
  @Sparse package var finding: Finding?
  @Sparse package var summary: Summary?
  @Sparse package var error: ErrorView.Content?

  /// Creates the line for a contact of the file.
  package init(contact: Contact) {
    self.init(contact: contact, finding: nil, summary: nil, error: nil)
  }

  /// Creates the line for a problem that belongs to no contact.
  package init(finding: Finding) {
    self.init(contact: nil, finding: finding, summary: nil, error: nil)
  }

  /// Creates the last line.
  package init(summary: Summary) {
    self.init(contact: nil, finding: nil, summary: summary, error: nil)
  }

  /// Creates the last line of a failed import.
  package init(error: ErrorView.Content) {
    self.init(contact: nil, finding: nil, summary: nil, error: error)
  }

  private init(
    contact: Contact?, finding: Finding?, summary: Summary?, error: ErrorView.Content?
  ) {
    self.contact = contact
    self.finding = finding
    self.summary = summary
    self.error = error
  }

  /// The outcome for one contact of the file.
  package struct Contact: Codable, Hashable, Sendable {
    package var file: String
    package var line: Int
    package var name: String
    /// `added`, `updated`, `unchanged`, `skipped` or `failed`.
    package var outcome: String
    /// The id of the contact; `nil` if it has none.
    package var id: String?
    /// Whether the card is a group.
    @Sparse package var isGroup: Bool
    package var findings: [Finding]

    package init(
      file: String, line: Int, name: String, outcome: String, id: String?, isGroup: Bool,
      findings: [Finding]
    ) {
      self.file = file
      self.line = line
      self.name = name
      self.outcome = outcome
      self.id = id
      self.isGroup = isGroup
      self.findings = findings
    }
  }

  /// One problem.
  package struct Finding: Codable, Hashable, Sendable {
    /// The name of the file, for a problem that belongs to no contact.
    @Sparse package var file: String?
    package var line: Int
    package var property: String
    /// `guessed`, `kept`, `lost` or `failed`.
    package var outcome: String
    package var message: String

    package init(
      file: String? = nil, line: Int, property: String, outcome: String, message: String
    ) {
      self.file = file
      self.line = line
      self.property = property
      self.outcome = outcome
      self.message = message
    }
  }

  /// A column of a table, and what becomes of its values.
  package struct Column: Codable, Hashable, Sendable {
    package var name: String
    /// “first name”, “phone (work)”, “kept as X-PET”.
    package var becomes: String
    /// The first values that differ, at most three.
    package var samples: [String]

    package init(name: String, becomes: String, samples: [String]) {
      self.name = name
      self.becomes = becomes
      self.samples = samples
    }
  }

  /// The totals of one file.
  package struct Summary: Codable, Hashable, Sendable {
    package var schema = 1
    package var file = ""
    package var dryRun = false
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    package var skipped = 0
    package var failed = 0
    package var groups = 0
    /// The titles of the groups that were created for contacts, or in a dry run would be.
    package var madeGroups: [String] = []
    /// The number for undoing the import; `nil` if nothing changed.
    package var action: Int64?
    /// The number of contacts with a property that was kept as it is.
    package var flagged = 0
    /// The number of contacts that lack something of the file.
    package var damaged = 0
    /// The columns of a table, in a dry run only.
    @Sparse package var columns: [Column] = []

    /// Creates totals of nothing.
    package init() {}
  }
}

extension AgentPath {
  /// The import of contacts from a file.
  package static let contactImport = AgentPath("import")
  /// The contacts as a file.
  package static let contactExport = AgentPath("export")
}

extension AgentQuery {
  /// The format of an imported or exported file.
  package static let format = "format"
  /// The name of an imported file.
  package static let file = "file"
  /// What to do with contacts that already exist: `skip`, `update` or `new`.
  package static let onDuplicate = "onDuplicate"
  /// Whether an import only reports.
  package static let dryRun = "dryRun"
  /// Whether an export contains categories as cards of groups.
  package static let groupCards = "groupCards"
}
