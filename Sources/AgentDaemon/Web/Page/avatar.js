// Pictures of contacts: photos, or initials on a colour that stays the same.

import { open } from "./api.js";
import { element, icon } from "./elements.js";
import { square } from "./picture-file.js";

const thumbnailPixels = 96;
const mostThumbnails = 300;
const mostDownloads = 4;

// Thumbnails by digest, the least recently used first.
const thumbnails = new Map();
const waiting = [];
let downloads = 0;

/** Returns the picture of a contact for a list. Its name is next to it, so screen readers skip it. */
export function avatar(contact) {
  const place = initials(contact, "avatar");
  if (contact.photo) {
    thumbnail(contact).then((picture) => {
      if (!picture) return;
      const canvas = element("canvas", { width: thumbnailPixels, height: thumbnailPixels });
      canvas.getContext("2d").drawImage(picture, 0, 0);
      place.replaceChildren(canvas);
    });
  }
  return place;
}

/** Returns the large picture of a card. The cookie of the session opens it. */
export function portrait(contact) {
  const place = initials(contact, "avatar portrait");
  if (contact.photo) {
    const picture = element("img", { alt: "", src: photoAddress(contact) });
    // The initials stay until the photo is there; a photo that only other devices have may never come.
    picture.addEventListener("load", () => place.replaceChildren(picture));
    picture.decoding = "async";
  }
  return place;
}

function photoAddress(contact) {
  // The digest makes the browser fetch a changed photo.
  return `/v1/contacts/${contact.id}/photo?digest=${contact.photo.digest ?? contact.version}`;
}

function initials(contact, names) {
  const place = element("span", { class: names, "aria-hidden": "true" });
  place.style.setProperty("--hue", hue(contact.id));
  const words = contact.firstName || contact.lastName
    ? [contact.firstName, contact.lastName] : (contact.name ?? "").split(/\s+/);
  const letters = words.filter(Boolean).map(firstLetter).filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  if (letters.length) place.textContent = letters.slice(0, 2).join("").toLocaleUpperCase();
  else place.append(icon("person"));
  return place;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const firstLetter = (word) => segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? "";

/** A hue from the id, so that renaming a contact keeps its colour. */
function hue(id = "") {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  return (sum % 12) * 30 + 15;
}

async function thumbnail(contact) {
  const key = contact.photo.digest ?? `${contact.id}-${contact.version}`;
  const known = thumbnails.get(key) ?? reduced(contact);
  thumbnails.delete(key);
  thumbnails.set(key, known);
  if (thumbnails.size > mostThumbnails) thumbnails.delete(thumbnails.keys().next().value);
  const picture = await known;
  if (!picture) thumbnails.delete(key);
  return picture;
}

async function reduced(contact) {
  if (downloads >= mostDownloads) await new Promise((resolve) => waiting.push(resolve));
  downloads += 1;
  try {
    const reply = await open(`contacts/${contact.id}/photo`, { query: { wait: 0 } });
    if (!reply.ok) return null;
    return await square(await reply.blob(), thumbnailPixels);
  } catch {
    return null;
  } finally {
    downloads -= 1;
    waiting.shift()?.();
  }
}
