// Pictures that the user chooses, drops or pastes. The page makes them smaller before it sends them.

import { element } from "./elements.js";

const textField = "textarea, select, input:not([type=file], [type=checkbox], [type=range])";

/** Whether the user pastes a text. Spreadsheets put a picture of the cells next to it. */
const pastesText = ({ type, target }, data) =>
  type === "paste" && target instanceof Element && target.matches(textField) && data.types.includes("text/plain");

/** Returns the first picture in what was dropped or pasted, and prevents the browser from opening it; null if there is none. */
export function pictureIn(event, data) {
  const file = [...(data?.files ?? [])].find((candidate) => candidate.type.startsWith("image/"));
  if (!file || pastesText(event, data)) return null;
  event.preventDefault();
  return file;
}

/** A field that opens the browser's dialog for files; buttons click it. */
export function pictureInput(label, chosen) {
  const input = element("input", {
    type: "file", accept: "image/*", class: "visually-hidden", tabindex: "-1", "aria-label": label,
    on: {
      change: () => {
        if (input.files[0]) chosen(input.files[0]);
        // The same file can be chosen again.
        input.value = "";
      },
    },
  });
  return input;
}

/** Returns the middle square of a picture, at most `pixels` wide. */
export async function square(blob, pixels) {
  const whole = await createImageBitmap(blob);
  const side = Math.min(whole.width, whole.height);
  const size = Math.min(side, pixels);
  const picture = await createImageBitmap(
    whole, (whole.width - side) >> 1, (whole.height - side) >> 1, side, side,
    { resizeWidth: size, resizeHeight: size, resizeQuality: "high" });
  whole.close();
  return picture;
}

/** Returns a whole picture whose longer side has at most `pixels`. */
export async function reduced(blob, pixels) {
  const whole = await createImageBitmap(blob);
  const scale = Math.min(1, pixels / Math.max(whole.width, whole.height));
  if (scale === 1) return whole;
  const picture = await createImageBitmap(whole, {
    resizeWidth: Math.max(1, Math.round(whole.width * scale)), resizeHeight: Math.max(1, Math.round(whole.height * scale)),
    resizeQuality: "high",
  });
  whole.close();
  return picture;
}

/** Returns a picture as a JPEG: smaller than what cameras make, and without the place where it was taken. */
export async function jpeg(picture) {
  const canvas = element("canvas", { width: picture.width, height: picture.height });
  const context = canvas.getContext("2d");
  // JPEG has no transparency: without a background it would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  picture.close();
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("The browser cannot encode the photo."))), "image/jpeg", 0.9));
}
