// The files of the page. They are part of the program, because an installed program is one file.

import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// A file of the web page.
struct WebFile: Sendable {
  /// A form in which a file is sent.
  struct Form: Sendable {
    let bytes: [UInt8]
    /// The entity tag, by which a browser asks whether its copy is current. Each form has its own.
    let tag: String

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      let digest = SHA256.hash(data: bytes).prefix(16)
      tag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }
  }

  let plain: Form
  /// The file compressed by gzip.
  let compressed: Form?
  let mediaType: String

  private init(_ bytes: [UInt8], _ mediaType: String) {
    plain = Form(bytes)
    compressed = Gzip.compressed(bytes).map { Form($0) }
    self.mediaType = mediaType
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
    "/accept-place.js": script(PackageResources.accept_place_js),
    "/access-requests.js": script(PackageResources.access_requests_js),
    "/actions-place.js": script(PackageResources.actions_place_js),
    "/api.js": script(PackageResources.api_js),
    "/app.js": script(PackageResources.app_js),
    "/avatar.js": script(PackageResources.avatar_js),
    "/card-pane.js": script(PackageResources.card_pane_js),
    "/card.css": style(PackageResources.card_css),
    "/card.js": script(PackageResources.card_js),
    "/command-line.js": script(PackageResources.command_line_js),
    "/conflict-notice.js": script(PackageResources.conflict_notice_js),
    "/conflict.js": script(PackageResources.conflict_js),
    "/conflicts-place.js": script(PackageResources.conflicts_place_js),
    "/device-invitation.js": script(PackageResources.device_invitation_js),
    "/devices-place.js": script(PackageResources.devices_place_js),
    "/dialogs.js": script(PackageResources.dialogs_js),
    "/draft.js": script(PackageResources.draft_js),
    "/duplicates-place.js": script(PackageResources.duplicates_place_js),
    "/elements.js": script(PackageResources.elements_js),
    "/entries.js": script(PackageResources.entries_js),
    "/events.js": script(PackageResources.events_js),
    "/export-form.js": script(PackageResources.export_form_js),
    "/failure.js": script(PackageResources.failure_js),
    "/favorites.js": script(PackageResources.favorites_js),
    "/fields.js": script(PackageResources.fields_js),
    "/file-drop.js": script(PackageResources.file_drop_js),
    "/findings.js": script(PackageResources.findings_js),
    "/first-run.js": script(PackageResources.first_run_js),
    "/form-fields.js": script(PackageResources.form_fields_js),
    "/form.js": script(PackageResources.form_js),
    "/group-choice.js": script(PackageResources.group_choice_js),
    "/group-tools.js": script(PackageResources.group_tools_js),
    "/groups-pane.js": script(PackageResources.groups_pane_js),
    "/history-place.js": script(PackageResources.history_place_js),
    "/history.css": style(PackageResources.history_css),
    "/icon.svg": image(PackageResources.icon_svg),
    "/import-job.js": script(PackageResources.import_job_js),
    "/import-view.js": script(PackageResources.import_view_js),
    "/keyboard.js": script(PackageResources.keyboard_js),
    "/keyed-list.js": script(PackageResources.keyed_list_js),
    "/letters.js": script(PackageResources.letters_js),
    "/line-request.js": script(PackageResources.line_request_js),
    "/list-pane.js": script(PackageResources.list_pane_js),
    "/list.js": script(PackageResources.list_js),
    "/main.js": script(PackageResources.main_js),
    "/merged-contact.js": script(PackageResources.merged_contact_js),
    "/notices.js": script(PackageResources.notices_js),
    "/opening.js": script(PackageResources.opening_js),
    "/pages.js": script(PackageResources.pages_js),
    "/photo-crop.js": script(PackageResources.photo_crop_js),
    "/photo-editor.js": script(PackageResources.photo_editor_js),
    "/picture-file.js": script(PackageResources.picture_file_js),
    "/place-pane.js": script(PackageResources.place_pane_js),
    "/place.css": style(PackageResources.place_css),
    "/places.js": script(PackageResources.places_js),
    "/print-form.js": script(PackageResources.print_form_js),
    "/print-list.js": script(PackageResources.print_list_js),
    "/print.css": style(PackageResources.print_css),
    "/qr-code.js": script(PackageResources.qr_code_js),
    "/reading-place.js": script(PackageResources.reading_place_js),
    "/route.js": script(PackageResources.route_js),
    "/session.js": script(PackageResources.session_js),
    "/share-dialog.js": script(PackageResources.share_dialog_js),
    "/share-link.js": script(PackageResources.share_link_js),
    "/share-people.js": script(PackageResources.share_people_js),
    "/sharing.css": style(PackageResources.sharing_css),
    "/status.js": script(PackageResources.status_js),
    "/style.css": style(PackageResources.style_css),
    "/text-form.js": script(PackageResources.text_form_js),
    "/texts-en.js": script(PackageResources.texts_en_js),
    "/texts-sv.js": script(PackageResources.texts_sv_js),
    "/texts.js": script(PackageResources.texts_js),
    "/theme.css": style(PackageResources.theme_css),
    "/timeline-composer.js": script(PackageResources.timeline_composer_js),
    "/timeline-feed.js": script(PackageResources.timeline_feed_js),
    "/timeline-photo.js": script(PackageResources.timeline_photo_js),
    "/timeline-place.js": script(PackageResources.timeline_place_js),
    "/timeline-post.js": script(PackageResources.timeline_post_js),
    "/timeline.css": style(PackageResources.timeline_css),
    "/toasts.js": script(PackageResources.toasts_js),
    "/transfer-place.js": script(PackageResources.transfer_place_js),
    "/transfer.css": style(PackageResources.transfer_css),
    "/trash-place.js": script(PackageResources.trash_place_js),
    "/undo.js": script(PackageResources.undo_js),
  ]

  /// Returns the response to a request for a file.
  static func response(to request: Request) -> Response {
    guard let file = all[request.uri.path] else {
      return ErrorResponse.make(RecordsError(.unknownItem, "This path does not exist."))
    }
    let accepted = request.headers[values: .acceptEncoding].joined(separator: ",")
    let compressed = accepts(gzip: accepted) ? file.compressed : nil
    let form = compressed ?? file.plain
    var headers: HTTPFields = [.eTag: form.tag, .cacheControl: "no-cache"]
    headers[.vary] = "Accept-Encoding"
    let known = request.headers[.ifNoneMatch].map { $0.split(separator: ",") } ?? []
    guard !known.contains(where: { $0.drop { $0 == " " } == form.tag }) else {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = file.mediaType
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: form.bytes)))
  }

  /// Whether a header `Accept-Encoding` names gzip, and does not exclude it with the weight 0.
  private static func accepts(gzip header: String) -> Bool {
    header.lowercased().split(separator: ",").contains { coding in
      let words = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard words.first == "gzip" else { return false }
      return !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }
}
