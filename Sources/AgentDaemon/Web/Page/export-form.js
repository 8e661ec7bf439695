// Export: all contacts or a group as a file.

import { errorOf, open } from "./api.js";
import { button, element } from "./elements.js";
import { reportFailure } from "./failure.js";
import { groupChoice, groupTitle } from "./group-choice.js";
import { formats, text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

// The agent's formats, with the ending of the file.
const endings = { vcard3: "vcf", vcard4: "vcf", csv: "csv", jcard: "json", json: "json" };

/** Chooses contacts and a format, and downloads the file. */
export class ExportForm {
  #isRunning = false;

  constructor() {
    this.group = groupChoice("export-group");
    this.status = element("p", { class: "hint", role: "status" });
    this.button = button(text("export.now"), () => this.#export(), "primary", { data: { key: "export" } });
    this.node = element(
      "section", { class: "panel", "aria-labelledby": "export-title" },
      element("header", { class: "panel-heading" }, element("h3", { id: "export-title", text: text("export.title") })),
      this.group.box,
      element(
        "fieldset", { class: "formats" }, element("legend", { text: text("export.format") }),
        ...Object.keys(endings).map((format, number) => element(
          "label", { class: "choice" }, element("input", { type: "radio", name: "export-format", value: format, checked: number === 0 }),
          element("span", {}, element("span", { class: "choice-name", text: text(`export.${format}`) }),
            element("span", { class: "hint", text: text(`export.${format}.hint`) }))))),
      element("div", { class: "form-actions" }, this.button), this.status);
  }

  show(groups) {
    this.groups = groups;
    this.group.show(groups);
  }

  async #export() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      const format = this.node.querySelector("input:checked").value;
      const group = this.group.value();
      const reply = await open("export", { query: { format, group } });
      if (!reply.ok) throw await errorOf(reply);
      const title = groupTitle(this.groups, group) ?? text("app");
      const name = `${title.replace(/[\p{C}/\\:*?"<>|]/gu, " ").trim().slice(0, 60) || text("app")}.${endings[format]}`;
      download(await this.#bytes(reply), name);
      announce(text("export.done", { name }));
      const missing = Number(reply.headers.get("Media-Missing") ?? 0);
      if (missing) showToast(text("export.missing", { count: missing }));
    } catch (error) {
      reportFailure(error);
    } finally {
      this.#isRunning = false;
      this.status.textContent = "";
    }
  }

  /** Reads the file and shows how much has arrived. */
  async #bytes(reply) {
    const parts = [];
    let size = 0;
    const reader = reply.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      size += part.value.byteLength;
      if (size > 1_000_000) this.status.textContent = text("export.running", { size: megabytes(size) });
    }
    return new Blob(parts, { type: reply.headers.get("Content-Type") });
  }
}

const megabytes = (size) => (size / 1e6).toLocaleString(formats.locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 0 });

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
