// Import from a file, export to a file, and lists on paper.

import { element } from "./elements.js";
import { ExportForm } from "./export-form.js";
import { importJob } from "./import-job.js";
import { importView } from "./import-view.js";
import { PrintForm } from "./print-form.js";
import { currentRoute } from "./route.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";
import { offerUndo } from "./undo.js";

// The import goes on while the user looks at other views.
importJob.addEventListener("change", () => {
  if (importJob.state !== "done" || currentRoute().place === "transfer") return;
  offerUndo(text("import.done"), importJob.summary.action, () => importJob.forget());
});

/** The import on top, because a dropped file leads here; the export and the printer below. */
export default class TransferPlace {
  #state = null;
  #frame = 0;

  constructor(place) {
    this.place = place;
    this.import = element("section", { class: "panel", "aria-labelledby": "import-title" });
    this.export = new ExportForm();
    this.print = new PrintForm();
    this.changed = () => { this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#drawImport(); }); };
    importJob.addEventListener("change", this.changed);
  }

  show() {
    this.place.present(
      element("div", { class: "place-column" }, this.import, this.export.node, this.print.node), { note: "", tools: [] });
    this.refresh();
    this.#drawImport();
  }

  refresh() {
    const groups = this.place.groups();
    this.export.show(groups);
    this.print.show(groups);
  }

  close() { importJob.removeEventListener("change", this.changed); }

  #drawImport() {
    const isNew = this.#state !== importJob.state;
    this.#state = importJob.state;
    // While contacts arrive, only the numbers change.
    if (!isNew && this.update?.(importJob)) return;
    const hadFocus = this.import.contains(document.activeElement) || document.activeElement === document.body;
    const { content, update = null, title = text("import.title"), sentence = "" } = importView(importJob, this.place);
    this.update = update;
    const heading = element("h3", { id: "import-title", text: title, tabindex: "-1" });
    this.import.replaceChildren(element("header", { class: "panel-heading" }, heading), ...content);
    if (!isNew || importJob.state === "idle") return;
    if (sentence) announce(sentence);
    if (hadFocus) (this.import.querySelector(".primary") ?? heading).focus({ preventScroll: true });
  }
}
