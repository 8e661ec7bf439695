import Foundation

/// The files of the checkout that is tested. It is found by the path of this source file.
enum SourceTree {
  /// The Swift files under `Sources`.
  static let sources = swiftFiles(under: "Sources")
  /// The Swift files under `Tests` and `Benchmarks`.
  static let tests = swiftFiles(under: "Tests") + swiftFiles(under: "Benchmarks")
  /// The pages under `docs` and in the root, by path.
  static let pages: [String: String] = {
    let paths =
      allPaths(under: "docs") + ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    return contents(of: paths.filter { $0.hasSuffix(".md") })
  }()
  /// Every text of the project, by path.
  static let texts: [String: String] = {
    let folders = ["Sources", "Tests", "Benchmarks", "docs", "config", "systemd", "scripts", ".ci"]
    let files = [
      "Package.swift", "versions", "Makefile", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
      "SECURITY.md", "NOTICE", ".gitignore",
    ]
    return contents(of: folders.flatMap(allPaths) + files)
  }()

  /// Returns the text of a file at a path from the root; empty if it does not exist.
  static func text(at path: String) -> String { contents(of: [path])[path] ?? "" }

  /// Whether a file or folder exists at a path from the root.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + "/" + path)
  }

  private static let root: String = {
    var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    // Tests/TidyTests/Reading/SourceTree.swift
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()

  private static func allPaths(under folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: root + "/" + folder)
    let paths = names?.compactMap { $0 as? String } ?? []
    return paths.sorted().map { "\(folder)/\($0)" }
  }

  private static func swiftFiles(under folder: String) -> [SourceFile] {
    let texts = contents(of: allPaths(under: folder).filter { $0.hasSuffix(".swift") })
    return texts.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) }
  }

  private static func contents(of paths: [String]) -> [String: String] {
    var texts: [String: String] = [:]
    for path in paths {
      // Folders and binary files have no text.
      texts[path] = try? String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }
    return texts
  }
}
