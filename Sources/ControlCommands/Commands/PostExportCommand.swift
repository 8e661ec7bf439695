// Exports a post to files (T4): its original photo, and its caption as a text file next to it. The names
// begin with the post's time, so that an album is sorted, and contain its id, so that two posts never have
// the same name.

import AgentAPI
import ArgumentParser
import Foundation
import Images
import Records

extension PostCommand {
  /// `post export`.
  struct Export: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export a post's photo and caption as files, and print their paths.",
      discussion: """
        The files are written to the current folder, or to another one with -o. With --album they \
        are written to the folder set by “contactsctl config set album FOLDER”. A photo that is \
        not on this device is first downloaded from the broker.
        """)

    @Argument(help: ArgumentHelp("The posts' ids.", valueName: "post")) var posts: [String]
    @Option(
      name: .shortAndLong, help: ArgumentHelp("The output folder.", valueName: "folder"),
      completion: .directory)
    var output: String?
    @Flag(help: "Write to the album folder.") var album = false
    @OptionGroup var global: GlobalFlags

    private struct Exported: Encodable, Sendable {
      let post: String
      let photo: String
      let caption: String?
    }

    private struct Result: Encodable, Sendable {
      let schema = 1
      let exported: [Exported]

      enum CodingKeys: CodingKey { case schema, exported }
    }

    func validate() throws {
      if output != nil, album { throw ValidationError("Use either -o or --album, not both.") }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let folder = try await folder(session)
      // All posts are looked up before anything is written.
      var views: [PostItem] = []
      for post in posts {
        views.append(try await session.agent.get(.post(post)).decoded(as: PostItem.self))
      }
      var exported: [Exported] = []
      for view in views { exported.append(try await export(view, into: folder, session)) }
      if session.printer.style == .json {
        session.printer.json(try JSONText.encoded(Result(exported: exported)))
      } else {
        let paths = exported.flatMap { [$0.photo, $0.caption].compactMap(\.self) }
        await session.printer.rows(paths.map { [$0] }, whole: [0])
      }
      return .done
    }

    private func folder(_ session: CommandSession) async throws(ControlFailure) -> String {
      var folder = output ?? "."
      if album {
        folder = try await session.agent.get(.setting("album"))
          .decoded(as: SettingView.self).value
        guard !folder.isEmpty else {
          throw .error(
            .invalidArguments, "No album folder is set.",
            hint: "Set one: contactsctl config set album FOLDER")
        }
      }
      return folder
    }

    /// Creates the folder. It is created when the first photo is here, so a failed export leaves none.
    private static func create(_ folder: String) throws(ControlFailure) {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw ControlFailure(
          code: "cannotCreate", message: "Cannot create the folder “\(folder)”.",
          hint: "Check the permissions of the folder that contains it.", exitCode: .cannotCreate)
      }
    }

    private func export(
      _ view: PostItem, into folder: String, _ session: CommandSession
    ) async throws(ControlFailure) -> Exported {
      let photo = try await session.agent.get(.postPhoto(view.id))
      try Self.create(folder)
      let name = "\(folder)/\(Self.fileName(of: view))"
      let photoPath = "\(name).\(Self.fileExtension(photo.mediaType))"
      try Self.write(photo.bytes, to: photoPath)
      guard let caption = view.caption else {
        return Exported(post: view.id, photo: photoPath, caption: nil)
      }
      try Self.write(Array((caption + "\n").utf8), to: "\(name).txt")
      return Exported(post: view.id, photo: photoPath, caption: "\(name).txt")
    }

    /// Returns `2026-11-21T08.21.36-0193…`, without characters that are special in file systems.
    static func fileName(of view: PostItem) -> String {
      let time = view.timestamp.description.prefix(19).map { $0 == ":" ? "." : $0 }
      let id = view.id.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
      return "\(String(time))-\(String(id))"
    }

    /// Returns the file extension for a media type, which other programs may rely on.
    static func fileExtension(_ type: String?) -> String {
      type.flatMap(ImageProbe.Format.init(rawValue:))?.fileExtension ?? "bin"
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(ControlFailure) {
      let file = try OutputFile(path: path)
      do {
        try file.write(bytes)
        try file.finish()
      } catch {
        file.discard()
        throw error
      }
    }
  }
}
