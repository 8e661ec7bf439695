// The photo of a contact. Small photos are on every device; larger ones are downloaded on request. A photo is
// compared with its digest before it is served, as bytes with a media type: this program never decodes
// pictures, and never opens a URL from a card.

import AgentAPI
import AssetFiles
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Images
import Logging
import NIOCore
import Records

extension AgentRoutes {
  /// The size of the chunks in which a file is read.
  private static let pieceBytes = 256 << 10

  func addPhotoRoutes(to router: Router<BasicRequestContext>) {
    let route = AgentPath.photo().route
    router.get(route) { request, context in try await photo(of: id(context), request) }
    router.put(route) { request, context in try await setPhoto(of: id(context), request) }
    router.delete(route) { request, context in try await removePhoto(of: id(context), request) }
  }

  // MARK: Looking

  private func photo(of id: String, _ request: Request) async throws -> Response {
    let record = try Self.contact(id, in: reader)
    let contact = ContactRecord.contact(named: record.id.name, fields: record.fields)
    guard let photo = contact.photo else {
      throw RecordsError(.unknownItem, "The contact has no photo.", record: record.id.name)
    }
    switch photo.media {
    case .inline(let bytes):
      let head = Array(bytes.prefix(ImageProbe.headBytes))
      return Response(
        status: .ok, headers: headers(head, tag: nil),
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    case .asset(let asset):
      if request.headers[.ifNoneMatch] == "\"\(asset.id)\"" {
        return Response(status: .notModified)
      }
      return try await response(serving: asset, in: record.id.zone, request)
    }
  }

  /// Returns a file, and first downloads it if it is missing; `wait` in the request limits the time.
  func response(
    serving asset: Asset, in zone: ZoneID, _ request: Request
  ) async throws -> Response {
    let asked = request.parameter(AgentQuery.wait).map { Double($0) }
    guard let seconds = asked ?? ReplicaDriver.downloadSeconds, seconds >= 0, seconds <= 3600 else {
      throw RecordsError.invalid(
        "wait must be a number of seconds from 0 to 3600.", field: AgentQuery.wait)
    }
    let byteCount = try await driver.open(asset, in: zone, waitSeconds: seconds)
    let assets = driver.files
    let head = try await assets.bytes(of: asset.id, from: 0, count: ImageProbe.headBytes)
    return Response(
      status: .ok, headers: headers(head, tag: asset.id),
      body: ResponseBody(contentLength: byteCount) { writer in
        var offset = 0
        while offset < byteCount {
          let piece = try await assets.bytes(
            of: asset.id, from: offset, count: Self.pieceBytes)
          guard !piece.isEmpty else { break }
          try await writer.write(ByteBuffer(bytes: piece))
          offset += piece.count
        }
        try await writer.finish(nil)
      })
  }

  private func headers(_ head: [UInt8], tag: AssetDigest?) -> HTTPFields {
    let type = (try? ImageProbe(head: head))?.format.rawValue
    var headers: HTTPFields = [
      .contentType: type ?? "application/octet-stream", .cacheControl: "private, no-cache",
      .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'; sandbox",
    ]
    if let tag { headers[.eTag] = "\"\(tag)\"" }
    return headers
  }

  // MARK: Changing

  private func setPhoto(of id: String, _ request: Request) async throws -> Response {
    let version = try expectedVersion(request)
    try Self.check(version, against: try Self.contact(id, in: reader))
    let saved = try await savePhoto(in: request) { replica, now, asset, probe in
      let found = try Self.contact(id, in: replica.reader)
      try Self.check(version, against: found)
      let photo = ContactPhoto(media: .asset(asset), mediaType: probe.format.rawValue)
      let save = try Self.save(.set(photo), of: found)
      let done = try replica.perform(
        [.keepAsset(asset), .save(save)], as: UserAction(), now: now)
      return ((record: found.id, action: done.action), done.actions)
    }
    return try response(to: written(saved.record)).undone(by: saved.action)
  }

  /// Stores the body of `request`, a photo of a contact or of a post, and runs `edit` with the file.
  /// - Throws: `invalidArguments` or `limitExceeded` if the body is not accepted as a photo; otherwise as
  ///   `ReplicaDriver.saveFile`.
  func savePhoto<Result: Sendable>(
    in request: Request,
    edit:
      @escaping @Sendable (Replica, Timestamp, Asset, ImageProbe) throws -> (
        Result, [SyncAction]
      )
  ) async throws -> Result {
    let limit = try min(PhotoCheck.bytesMaximum, reader.assetBytesMaximum())
    let announced = request.headers[.contentLength].flatMap { Int($0) }
    return try await driver.saveFile(
      request.body,
      limit: UploadLimit(
        expectedByteCount: min(max(0, announced ?? 0), limit), byteCountMaximum: limit,
        tooLarge: PhotoCheck.tooLarge(announced, limit: limit)),
      check: { part in
        try PhotoCheck.probe(byteCount: part.byteCount, limit: limit) { offset, count in
          try part.bytes(from: offset, count: count)
        }
      }, edit: edit)
  }

  private func removePhoto(of id: String, _ request: Request) async throws -> Response {
    let version = try expectedVersion(request)
    let action: Int64? = try await driver.edit { replica, now in
      let found = try Self.contact(id, in: replica.reader)
      try Self.check(version, against: found)
      let save = try Self.save(.remove, of: found)
      guard !save.changes.isEmpty else { return (nil, []) }
      return try replica.perform([.save(save)], as: UserAction(), now: now)
    }
    return .done(undoneBy: action)
  }

  private static func save(
    _ photo: ContactEdit.PhotoEdit, of found: RecordView
  ) throws -> LocalEdit.RecordSave {
    var edit = ContactEdit()
    edit.photo = photo
    var generator = SystemRandomNumberGenerator()
    return LocalEdit.RecordSave(
      id: found.id, type: ContactRecord.type,
      changes: try edit.changes(to: found.fields, using: &generator), expectation: .present)
  }
}

extension HTTPField.Name {
  /// Forbids clients to guess another media type.
  static let xContentTypeOptions = HTTPField.Name("X-Content-Type-Options") ?? .contentType
}
