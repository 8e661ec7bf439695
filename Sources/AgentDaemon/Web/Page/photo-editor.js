// The photo of a form: chosen, dropped or pasted; the user chooses the part to show.

import { call } from "./api.js";
import { portrait } from "./avatar.js";
import { button, element } from "./elements.js";
import { failureSentence } from "./failure.js";
import { croppedSquare } from "./photo-crop.js";
import { jpeg, pictureIn, pictureInput } from "./picture-file.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

const photoPixels = 800;

/** Returns the editor of a contact's photo. A photo is saved at once; `changed(contact)` gets the result. */
export function photoEditor(contact, { changed }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const attempt = async (change) => {
    problem.textContent = "";
    try {
      await change();
    } catch (error) {
      if (!(error instanceof SessionEnded)) problem.textContent = error.code ? failureSentence(error) : text("photo.unreadable");
    }
  };
  const set = (file) => attempt(async () => {
    const picture = await croppedSquare(file, photoPixels);
    if (!picture) return;
    contact = (await call("PUT", `contacts/${contact.id}/photo`, { body: await jpeg(picture) })).data;
    show();
    changed(contact);
    announce(text("photo.saved"));
  });
  const remove = () => attempt(async () => {
    await call("DELETE", `contacts/${contact.id}/photo`);
    contact = { ...contact, photo: null };
    show();
    changed(contact);
    announce(text("photo.removed"));
  });
  const input = pictureInput(text("photo.choose"), set);
  const take = (event, data) => {
    const file = pictureIn(event, data);
    if (file) set(file);
  };
  const picture = element("div", { class: "photo-picture" });
  const buttons = element("div", { class: "form-actions" });
  const node = element(
    "div",
    {
      class: "photo-editor", data: { drops: "picture" },
      on: { dragover: (event) => event.preventDefault(), drop: (event) => take(event, event.dataTransfer) },
    },
    picture, element("div", {}, buttons, element("p", { class: "hint", text: text("photo.hint") }), problem), input);
  const show = () => {
    const hadFocus = buttons.contains(document.activeElement);
    picture.replaceChildren(portrait(contact));
    buttons.replaceChildren(
      button(text("photo.choose"), () => input.click()),
      ...(contact.photo ? [button(text("photo.remove"), remove)] : []));
    if (hadFocus) buttons.firstChild.focus();
  };
  show();
  node.set = set;
  node.paste = (event) => take(event, event.clipboardData);
  return node;
}
