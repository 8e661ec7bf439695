// The photo of a form: chosen, dropped or pasted; the page cuts out the middle square.

import { call } from "./api.js";
import { portrait, square } from "./avatar.js";
import { button, element } from "./elements.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

const photoPixels = 800;

/** Returns the editor of a contact's photo. A photo is saved at once; `changed(contact)` gets the result. */
export function photoEditor(contact, { changed }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const set = async (file) => {
    problem.textContent = "";
    try {
      const reply = await call("PUT", `contacts/${contact.id}/photo`, { body: await jpeg(file) });
      contact = reply.data;
      show();
      changed(contact);
      announce(text("photo.saved"));
    } catch (error) {
      problem.textContent = error.code ? error.message : text("photo.unreadable");
    }
  };
  const remove = async () => {
    await call("DELETE", `contacts/${contact.id}/photo`);
    changed({ ...contact, photo: null });
    contact.photo = null;
    show();
    announce(text("photo.removed"));
  };
  const input = element("input", {
    type: "file", accept: "image/*", class: "visually-hidden", tabindex: "-1", "aria-label": text("photo.choose"),
    on: { change: () => input.files[0] && set(input.files[0]) },
  });
  const picture = element("div", { class: "photo-picture" });
  const buttons = element("div", { class: "form-actions" });
  const node = element(
    "div",
    {
      class: "photo-editor",
      on: {
        dragover: (event) => event.preventDefault(),
        drop: (event) => take(event, event.dataTransfer, set),
      },
    },
    picture, element("div", {}, buttons, element("p", { class: "hint", text: text("photo.hint") }), problem), input);
  const show = () => {
    picture.replaceChildren(portrait(contact));
    buttons.replaceChildren(
      button(text("photo.choose"), () => input.click()),
      ...(contact.photo ? [button(text("photo.remove"), remove)] : []));
  };
  show();
  node.paste = (event) => take(event, event.clipboardData, set);
  return node;
}

function take(event, data, set) {
  const file = [...data.files].find((candidate) => candidate.type.startsWith("image/"));
  if (!file) return;
  event.preventDefault();
  set(file);
}

/** A square JPEG of a picture: smaller than what cameras make, and without the place where it was taken. */
async function jpeg(file) {
  const picture = await square(file, photoPixels);
  const canvas = element("canvas", { width: picture.width, height: picture.height });
  const context = canvas.getContext("2d");
  // JPEG has no transparency: without a background it would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("The browser cannot encode the photo."))), "image/jpeg", 0.9));
}
