// The files of the page. They are part of the program, because an installed program is one file.

import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// A file of the web page.
struct WebFile: Sendable {
  let bytes: [UInt8]
  let mediaType: String
  /// The entity tag, by which a browser asks whether its copy is current.
  let tag: String

  private init(_ bytes: [UInt8], _ mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
    let digest = SHA256.hash(data: bytes).prefix(16)
    tag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
  }

  private static func page(_ bytes: [UInt8]) -> WebFile {
    WebFile(bytes, "text/html; charset=utf-8")
  }

  private static func script(_ bytes: [UInt8]) -> WebFile {
    WebFile(bytes, "text/javascript; charset=utf-8")
  }

  private static func style(_ bytes: [UInt8]) -> WebFile {
    WebFile(bytes, "text/css; charset=utf-8")
  }

  private static func image(_ bytes: [UInt8]) -> WebFile { WebFile(bytes, "image/svg+xml") }

  /// The files by their paths. A new file of the folder Page needs a line.
  static let all: [String: WebFile] = [
    "/": page(PackageResources.index_html),
    "/api.js": script(PackageResources.api_js),
    "/app.js": script(PackageResources.app_js),
    "/avatar.js": script(PackageResources.avatar_js),
    "/card-pane.js": script(PackageResources.card_pane_js),
    "/card.css": style(PackageResources.card_css),
    "/card.js": script(PackageResources.card_js),
    "/draft.js": script(PackageResources.draft_js),
    "/elements.js": script(PackageResources.elements_js),
    "/entries.js": script(PackageResources.entries_js),
    "/events.js": script(PackageResources.events_js),
    "/failure.js": script(PackageResources.failure_js),
    "/fields.js": script(PackageResources.fields_js),
    "/form-fields.js": script(PackageResources.form_fields_js),
    "/form.js": script(PackageResources.form_js),
    "/groups-pane.js": script(PackageResources.groups_pane_js),
    "/icon.svg": image(PackageResources.icon_svg),
    "/keyboard.js": script(PackageResources.keyboard_js),
    "/letters.js": script(PackageResources.letters_js),
    "/list-pane.js": script(PackageResources.list_pane_js),
    "/list.js": script(PackageResources.list_js),
    "/main.js": script(PackageResources.main_js),
    "/pages.js": script(PackageResources.pages_js),
    "/photo-editor.js": script(PackageResources.photo_editor_js),
    "/place-pane.js": script(PackageResources.place_pane_js),
    "/place.css": style(PackageResources.place_css),
    "/places.js": script(PackageResources.places_js),
    "/route.js": script(PackageResources.route_js),
    "/session.js": script(PackageResources.session_js),
    "/status.js": script(PackageResources.status_js),
    "/style.css": style(PackageResources.style_css),
    "/texts-en.js": script(PackageResources.texts_en_js),
    "/texts-sv.js": script(PackageResources.texts_sv_js),
    "/texts.js": script(PackageResources.texts_js),
    "/theme.css": style(PackageResources.theme_css),
    "/toasts.js": script(PackageResources.toasts_js),
    "/trash-place.js": script(PackageResources.trash_place_js),
    "/undo.js": script(PackageResources.undo_js),
  ]

  /// Returns the response to a request for a file.
  static func response(to request: Request) -> Response {
    guard let file = all[request.uri.path] else {
      return ErrorResponse.make(RecordsError(.unknownItem, "This path does not exist."))
    }
    let headers: HTTPFields = [.eTag: file.tag, .cacheControl: "no-cache"]
    let known = request.headers[.ifNoneMatch].map { $0.split(separator: ",") } ?? []
    guard !known.contains(where: { $0.drop { $0 == " " } == file.tag }) else {
      return Response(status: .notModified, headers: headers)
    }
    var response = Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    response.headers[.contentType] = file.mediaType
    return response
  }
}
