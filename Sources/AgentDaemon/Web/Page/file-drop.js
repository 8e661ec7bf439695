// A file that is dropped anywhere on the page is imported, except where a view takes pictures.

import { element, icon } from "./elements.js";
import { text } from "./texts.js";
import { showToast } from "./toasts.js";

/** Calls `take(file)` with a file that the user drops on the page. */
export function listenToDrops(take) {
  const cover = element(
    "div", { class: "drop-cover", hidden: true, "aria-hidden": "true" },
    element("div", { class: "drop-card" }, icon("transfer"), element("p", { text: text("import.drop") })));
  document.body.append(cover);
  const isForPage = (event) => event.dataTransfer?.types.includes("Files") && !event.target.closest?.("[data-drops]")
    && !document.querySelector("dialog[open]");
  addEventListener("dragover", (event) => {
    cover.hidden = !isForPage(event);
    if (!cover.hidden) event.preventDefault();
  });
  // The pointer leaves the window.
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) cover.hidden = true; });
  addEventListener("drop", (event) => {
    const isMeant = isForPage(event);
    cover.hidden = true;
    if (!isMeant || event.defaultPrevented) return;
    event.preventDefault();
    const [file, ...others] = event.dataTransfer.files;
    if (others.length) showToast(text("import.toomany"));
    else if (file?.type.startsWith("image/")) showPicture(file);
    else if (file) take(file);
  });
}

/** A picture is meant for the contact that the user edits. */
function showPicture(file) {
  const editor = document.querySelector("[data-drops=picture]");
  if (editor) editor.set(file);
  else showToast(text("photo.elsewhere"));
}
