// A contact's history for people: a heading for each step, and below it the changes with the nouns of `show`.

import AgentAPI
import Records

extension ContactHistoryView.Step {
  /// Returns the lines for a terminal, none wider than `limit` columns if possible.
  func lines(limit: Int) -> [String] {
    let lead = LocalTime.shown("\(time)") + "  "
    let heading = TextWidth.lines(of: PlainText.clean(sentence), after: lead, limit: limit)
    let changes = fields.map { difference in
      [ContactDetail.noun(ofField: difference.field), difference.words(isUpdate: isUpdate)]
        .map(PlainText.clean)
    }
    return heading + TextTable(changes).wrappedLines(limit: limit - 2).map { "  " + $0 }
  }

  private var isUpdate: Bool { change == "updated" }

  /// What was done, by whom, and on which device.
  private var sentence: String {
    let what =
      switch change {
      case "known": "the oldest known version,"
      // An edit that changes nothing is not a step, and the agent leaves out the field that records moves.
      case "updated" where fields.isEmpty: "moved to another group"
      default: change
      }
    let author = [("by", by.shown), ("on", by.shownDevice)].filter { !$0.1.isEmpty }
      .map { "\($0) \($1)" }
    return ([what] + author).joined(separator: " ") + (synced ? "" : ", not sent yet")
  }
}

extension ContactHistoryView.Difference {
  /// Returns the values before and after. In a step that is no update, every value is new, and has no word for
  /// that.
  fileprivate func words(isUpdate: Bool) -> String {
    switch (before, after) {
    case (let before?, let after?): "\(before) → \(after)"
    case (let before?, nil): "deleted: \(before)"
    case (nil, let after?): isUpdate ? "added: \(after)" : after
    case (nil, nil): ""
    }
  }
}
