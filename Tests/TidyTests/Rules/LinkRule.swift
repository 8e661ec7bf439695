import Foundation

/// The links between the project's pages: every page must be linked, and every link must have a target.
enum LinkRule {
  /// A link from one page to a path from the root.
  struct Link: Hashable {
    /// The page with the link.
    let page: String
    /// Its line, from 1.
    let line: Int
    /// The target's path from the root.
    let target: String
  }

  /// Returns the relative links on a page.
  static func links(on page: String, text: String) -> [Link] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [Link] in
      lines[index].ranges(of: "](").compactMap { range in
        let path = lines[index][range.upperBound...].prefix { $0 != ")" && $0 != "#" && $0 != " " }
        guard !path.isEmpty, !path.contains("://"), !path.hasPrefix("mailto:") else { return nil }
        return Link(page: page, line: index + 1, target: resolve(String(path), from: page))
      }
    }
  }

  /// Finds pages under `docs` that no other page links to.
  static func unlinked(in pages: [String: String]) -> [Finding] {
    var linked: Set<String> = []
    for (page, text) in pages {
      for link in links(on: page, text: text) where link.target != page {
        linked.insert(link.target)
      }
    }
    return pages.keys.sorted().filter { $0.hasPrefix("docs/") && !linked.contains($0) }.map {
      Finding(path: $0, line: 1, sentence: "No page links here: link it from README.md or docs.")
    }
  }

  /// Finds links without a target.
  static func broken(
    in pages: [String: String], exists: (String) -> Bool = SourceTree.exists
  ) -> [Finding] {
    pages.sorted { $0.key < $1.key }.flatMap { page, text in
      links(on: page, text: text).filter { !exists($0.target) }.map {
        Finding(path: $0.page, line: $0.line, sentence: "The link to \($0.target) leads nowhere.")
      }
    }
  }

  private static func resolve(_ path: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
