#include "web_page.h"

// A new file of the folder needs an entry.
static const struct web_page_file files[] = {
    {"accept-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/accept-place.js" suffix(, 0)
    }},
    {"access-requests.js", (const char[]){
#embed "../AgentDaemon/Web/Page/access-requests.js" suffix(, 0)
    }},
    {"actions-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/actions-place.js" suffix(, 0)
    }},
    {"api.js", (const char[]){
#embed "../AgentDaemon/Web/Page/api.js" suffix(, 0)
    }},
    {"app.js", (const char[]){
#embed "../AgentDaemon/Web/Page/app.js" suffix(, 0)
    }},
    {"avatar.js", (const char[]){
#embed "../AgentDaemon/Web/Page/avatar.js" suffix(, 0)
    }},
    {"card-pane.js", (const char[]){
#embed "../AgentDaemon/Web/Page/card-pane.js" suffix(, 0)
    }},
    {"card.css", (const char[]){
#embed "../AgentDaemon/Web/Page/card.css" suffix(, 0)
    }},
    {"card.js", (const char[]){
#embed "../AgentDaemon/Web/Page/card.js" suffix(, 0)
    }},
    {"command-line.js", (const char[]){
#embed "../AgentDaemon/Web/Page/command-line.js" suffix(, 0)
    }},
    {"conflict-notice.js", (const char[]){
#embed "../AgentDaemon/Web/Page/conflict-notice.js" suffix(, 0)
    }},
    {"conflict.js", (const char[]){
#embed "../AgentDaemon/Web/Page/conflict.js" suffix(, 0)
    }},
    {"conflicts-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/conflicts-place.js" suffix(, 0)
    }},
    {"connection.js", (const char[]){
#embed "../AgentDaemon/Web/Page/connection.js" suffix(, 0)
    }},
    {"device-invitation.js", (const char[]){
#embed "../AgentDaemon/Web/Page/device-invitation.js" suffix(, 0)
    }},
    {"devices-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/devices-place.js" suffix(, 0)
    }},
    {"dialogs.js", (const char[]){
#embed "../AgentDaemon/Web/Page/dialogs.js" suffix(, 0)
    }},
    {"draft-problem.js", (const char[]){
#embed "../AgentDaemon/Web/Page/draft-problem.js" suffix(, 0)
    }},
    {"draft-texts.js", (const char[]){
#embed "../AgentDaemon/Web/Page/draft-texts.js" suffix(, 0)
    }},
    {"draft-writer.js", (const char[]){
#embed "../AgentDaemon/Web/Page/draft-writer.js" suffix(, 0)
    }},
    {"draft.js", (const char[]){
#embed "../AgentDaemon/Web/Page/draft.js" suffix(, 0)
    }},
    {"drafts-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/drafts-place.js" suffix(, 0)
    }},
    {"drafts.js", (const char[]){
#embed "../AgentDaemon/Web/Page/drafts.js" suffix(, 0)
    }},
    {"duplicates-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/duplicates-place.js" suffix(, 0)
    }},
    {"elements.js", (const char[]){
#embed "../AgentDaemon/Web/Page/elements.js" suffix(, 0)
    }},
    {"entries.js", (const char[]){
#embed "../AgentDaemon/Web/Page/entries.js" suffix(, 0)
    }},
    {"events.js", (const char[]){
#embed "../AgentDaemon/Web/Page/events.js" suffix(, 0)
    }},
    {"export-form.js", (const char[]){
#embed "../AgentDaemon/Web/Page/export-form.js" suffix(, 0)
    }},
    {"failure.js", (const char[]){
#embed "../AgentDaemon/Web/Page/failure.js" suffix(, 0)
    }},
    {"favorites.js", (const char[]){
#embed "../AgentDaemon/Web/Page/favorites.js" suffix(, 0)
    }},
    {"fields.js", (const char[]){
#embed "../AgentDaemon/Web/Page/fields.js" suffix(, 0)
    }},
    {"file-drop.js", (const char[]){
#embed "../AgentDaemon/Web/Page/file-drop.js" suffix(, 0)
    }},
    {"findings.js", (const char[]){
#embed "../AgentDaemon/Web/Page/findings.js" suffix(, 0)
    }},
    {"first-run.js", (const char[]){
#embed "../AgentDaemon/Web/Page/first-run.js" suffix(, 0)
    }},
    {"form-fields.js", (const char[]){
#embed "../AgentDaemon/Web/Page/form-fields.js" suffix(, 0)
    }},
    {"form.js", (const char[]){
#embed "../AgentDaemon/Web/Page/form.js" suffix(, 0)
    }},
    {"group-choice.js", (const char[]){
#embed "../AgentDaemon/Web/Page/group-choice.js" suffix(, 0)
    }},
    {"group-tools.js", (const char[]){
#embed "../AgentDaemon/Web/Page/group-tools.js" suffix(, 0)
    }},
    {"groups-pane.js", (const char[]){
#embed "../AgentDaemon/Web/Page/groups-pane.js" suffix(, 0)
    }},
    {"history-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/history-place.js" suffix(, 0)
    }},
    {"history.css", (const char[]){
#embed "../AgentDaemon/Web/Page/history.css" suffix(, 0)
    }},
    {"icon.svg", (const char[]){
#embed "../AgentDaemon/Web/Page/icon.svg" suffix(, 0)
    }},
    {"import-job.js", (const char[]){
#embed "../AgentDaemon/Web/Page/import-job.js" suffix(, 0)
    }},
    {"import-view.js", (const char[]){
#embed "../AgentDaemon/Web/Page/import-view.js" suffix(, 0)
    }},
    {"index.html", (const char[]){
#embed "../AgentDaemon/Web/Page/index.html" suffix(, 0)
    }},
    {"keyboard.js", (const char[]){
#embed "../AgentDaemon/Web/Page/keyboard.js" suffix(, 0)
    }},
    {"keyed-list.js", (const char[]){
#embed "../AgentDaemon/Web/Page/keyed-list.js" suffix(, 0)
    }},
    {"letters.js", (const char[]){
#embed "../AgentDaemon/Web/Page/letters.js" suffix(, 0)
    }},
    {"line-request.js", (const char[]){
#embed "../AgentDaemon/Web/Page/line-request.js" suffix(, 0)
    }},
    {"list-pane.js", (const char[]){
#embed "../AgentDaemon/Web/Page/list-pane.js" suffix(, 0)
    }},
    {"list.js", (const char[]){
#embed "../AgentDaemon/Web/Page/list.js" suffix(, 0)
    }},
    {"main.js", (const char[]){
#embed "../AgentDaemon/Web/Page/main.js" suffix(, 0)
    }},
    {"merged-contact.js", (const char[]){
#embed "../AgentDaemon/Web/Page/merged-contact.js" suffix(, 0)
    }},
    {"notices.js", (const char[]){
#embed "../AgentDaemon/Web/Page/notices.js" suffix(, 0)
    }},
    {"opening.js", (const char[]){
#embed "../AgentDaemon/Web/Page/opening.js" suffix(, 0)
    }},
    {"page-settings.js", (const char[]){
#embed "../AgentDaemon/Web/Page/page-settings.js" suffix(, 0)
    }},
    {"pages.js", (const char[]){
#embed "../AgentDaemon/Web/Page/pages.js" suffix(, 0)
    }},
    {"photo-crop.js", (const char[]){
#embed "../AgentDaemon/Web/Page/photo-crop.js" suffix(, 0)
    }},
    {"photo-editor.js", (const char[]){
#embed "../AgentDaemon/Web/Page/photo-editor.js" suffix(, 0)
    }},
    {"picture-file.js", (const char[]){
#embed "../AgentDaemon/Web/Page/picture-file.js" suffix(, 0)
    }},
    {"place-pane.js", (const char[]){
#embed "../AgentDaemon/Web/Page/place-pane.js" suffix(, 0)
    }},
    {"place.css", (const char[]){
#embed "../AgentDaemon/Web/Page/place.css" suffix(, 0)
    }},
    {"places.js", (const char[]){
#embed "../AgentDaemon/Web/Page/places.js" suffix(, 0)
    }},
    {"print-form.js", (const char[]){
#embed "../AgentDaemon/Web/Page/print-form.js" suffix(, 0)
    }},
    {"print-list.js", (const char[]){
#embed "../AgentDaemon/Web/Page/print-list.js" suffix(, 0)
    }},
    {"print.css", (const char[]){
#embed "../AgentDaemon/Web/Page/print.css" suffix(, 0)
    }},
    {"qr-code.js", (const char[]){
#embed "../AgentDaemon/Web/Page/qr-code.js" suffix(, 0)
    }},
    {"reading-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/reading-place.js" suffix(, 0)
    }},
    {"route.js", (const char[]){
#embed "../AgentDaemon/Web/Page/route.js" suffix(, 0)
    }},
    {"session-end.js", (const char[]){
#embed "../AgentDaemon/Web/Page/session-end.js" suffix(, 0)
    }},
    {"session.js", (const char[]){
#embed "../AgentDaemon/Web/Page/session.js" suffix(, 0)
    }},
    {"share-dialog.js", (const char[]){
#embed "../AgentDaemon/Web/Page/share-dialog.js" suffix(, 0)
    }},
    {"share-link.js", (const char[]){
#embed "../AgentDaemon/Web/Page/share-link.js" suffix(, 0)
    }},
    {"share-people.js", (const char[]){
#embed "../AgentDaemon/Web/Page/share-people.js" suffix(, 0)
    }},
    {"sharing.css", (const char[]){
#embed "../AgentDaemon/Web/Page/sharing.css" suffix(, 0)
    }},
    {"status.js", (const char[]){
#embed "../AgentDaemon/Web/Page/status.js" suffix(, 0)
    }},
    {"style.css", (const char[]){
#embed "../AgentDaemon/Web/Page/style.css" suffix(, 0)
    }},
    {"text-form.js", (const char[]){
#embed "../AgentDaemon/Web/Page/text-form.js" suffix(, 0)
    }},
    {"texts-en.js", (const char[]){
#embed "../AgentDaemon/Web/Page/texts-en.js" suffix(, 0)
    }},
    {"texts-sv.js", (const char[]){
#embed "../AgentDaemon/Web/Page/texts-sv.js" suffix(, 0)
    }},
    {"texts.js", (const char[]){
#embed "../AgentDaemon/Web/Page/texts.js" suffix(, 0)
    }},
    {"theme.css", (const char[]){
#embed "../AgentDaemon/Web/Page/theme.css" suffix(, 0)
    }},
    {"timeline-composer.js", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline-composer.js" suffix(, 0)
    }},
    {"timeline-feed.js", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline-feed.js" suffix(, 0)
    }},
    {"timeline-photo.js", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline-photo.js" suffix(, 0)
    }},
    {"timeline-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline-place.js" suffix(, 0)
    }},
    {"timeline-post.js", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline-post.js" suffix(, 0)
    }},
    {"timeline.css", (const char[]){
#embed "../AgentDaemon/Web/Page/timeline.css" suffix(, 0)
    }},
    {"toasts.js", (const char[]){
#embed "../AgentDaemon/Web/Page/toasts.js" suffix(, 0)
    }},
    {"transfer-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/transfer-place.js" suffix(, 0)
    }},
    {"transfer.css", (const char[]){
#embed "../AgentDaemon/Web/Page/transfer.css" suffix(, 0)
    }},
    {"trash-place.js", (const char[]){
#embed "../AgentDaemon/Web/Page/trash-place.js" suffix(, 0)
    }},
    {"undo.js", (const char[]){
#embed "../AgentDaemon/Web/Page/undo.js" suffix(, 0)
    }},
};

const struct web_page_file *web_page_files(int *count) {
  *count = sizeof files / sizeof files[0];
  return files;
}
