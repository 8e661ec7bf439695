// Photos of posts. A photo is read when it comes near the visible part of the timeline, and released when it is far away, so
// that a long timeline needs no more memory than a short one.

import { open } from "./api.js";
import { button, element, icon } from "./elements.js";
import { failureSentence } from "./failure.js";
import { text } from "./texts.js";

// Browsers decode a picture when it shows, and keep it as long as its element has it.
const mostPictures = 12;
// A download that waits for the broker holds one of the six connections of the browser.
const mostDownloads = 3;
const waitSeconds = 8;
// Photos are read this far above and below the visible part, in heights of it.
const margin = "150%";

// The shapes of photos by digest. A camera's photo may lie on its side until the browser turns it.
const shapes = new Map();

/** The photos of a scrolled element. */
export class TimelinePhotos {
  #photos = new Map();
  #near = new Set();

  /** `isOffline()` tells whether waiting for a photo is in vain. */
  constructor(root, isOffline) {
    Object.assign(this, { root, isOffline });
    this.observer = new IntersectionObserver((entries) => this.#moved(entries), { root, rootMargin: `${margin} 0px` });
  }

  /** Returns the photo of a post, which has `node`. */
  photo(post) {
    const photo = new TimelinePhoto(post, () => this.#arrange());
    this.#photos.set(photo.node, photo);
    this.observer.observe(photo.node);
    return photo;
  }

  /** Forgets a photo that is not shown any more. */
  remove(photo) {
    this.observer.unobserve(photo.node);
    this.#photos.delete(photo.node);
    this.#near.delete(photo);
    photo.unload();
  }

  /** Tries again what could not be read. */
  retry() {
    for (const photo of this.#near) if (photo.state === "failed") photo.unload();
    this.#arrange();
  }

  close() {
    this.observer.disconnect();
    for (const photo of this.#photos.values()) photo.unload();
  }

  #moved(entries) {
    for (const { target, isIntersecting } of entries) {
      const photo = this.#photos.get(target);
      if (!photo) continue;
      if (isIntersecting) this.#near.add(photo); else this.#near.delete(photo);
      if (!isIntersecting) photo.unload();
    }
    this.#arrange();
  }

  #arrange() {
    const middle = (node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return (top + bottom) / 2;
    };
    const center = middle(this.root);
    const byDistance = [...this.#near].map((photo) => ({ photo, distance: Math.abs(middle(photo.node) - center) }))
      .sort((one, other) => one.distance - other.distance).map(({ photo }) => photo);
    for (const photo of byDistance.slice(mostPictures)) photo.unload();
    const wanted = byDistance.slice(0, mostPictures);
    let downloads = wanted.filter((photo) => photo.state === "loading").length;
    for (const photo of wanted) {
      if (downloads >= mostDownloads) break;
      if (photo.state !== "empty") continue;
      photo.load(this.isOffline() ? 0 : waitSeconds);
      downloads += 1;
    }
  }
}

/** One photo: a place of its shape, then the picture, or why there is none. */
class TimelinePhoto {
  #picture = null;
  #missing = null;
  #reads = 0;

  constructor(post, changed) {
    this.post = post;
    this.changed = changed;
    this.state = "empty";
    this.node = element("div", { class: "photo" });
    const { width, height, digest } = post.photo;
    this.#shape(shapes.get(digest) ?? (width && height ? width / height : 4 / 3));
  }

  load(wait) {
    const number = ++this.#reads;
    this.#clear();
    this.state = "loading";
    this.node.classList.add("loading");
    const picture = element("img", { alt: this.#description() });
    picture.decoding = "async";
    picture.addEventListener("load", () => { if (number === this.#reads) this.#loaded(picture); });
    picture.addEventListener("error", () => { if (number === this.#reads) this.#failed(number); });
    this.#picture = picture;
    picture.src = `${this.#address()}?wait=${wait}`;
    this.node.prepend(picture);
  }

  /** Releases the picture; its place stays. */
  unload() {
    this.#reads += 1;
    this.#clear();
    this.state = "empty";
  }

  /** The caption describes the photo. */
  update(post) {
    this.post = post;
    this.#picture?.setAttribute("alt", this.#description());
  }

  #description() {
    return this.post.caption ?? text("post.photo");
  }

  #address() { return `/v1/posts/${this.post.id}/photo`; }

  #shape(ratio) { this.node.style.setProperty("--ratio", ratio); }

  #clear() {
    this.node.classList.remove("loading", "shown");
    // Without its address a picture that is still read is given up.
    this.#picture?.removeAttribute("src");
    this.#picture?.remove();
    this.#missing?.remove();
    this.#picture = this.#missing = null;
  }

  #loaded(picture) {
    this.state = "shown";
    this.node.classList.remove("loading");
    this.node.classList.add("shown");
    const ratio = picture.naturalWidth / picture.naturalHeight;
    shapes.set(this.post.photo.digest, ratio);
    this.#shape(ratio);
    this.changed();
  }

  async #failed(number) {
    const { title, sentence, retries } = await this.#reason();
    if (number !== this.#reads) return;
    const hasFocus = this.node.contains(document.activeElement);
    this.#clear();
    this.state = "failed";
    const again = retries ? button(text("retry"), () => { this.unload(); this.changed(); }) : null;
    this.#missing = element(
      "div", { class: "photo-missing" }, icon("photo"), element("p", { text: title, class: "row-name" }),
      sentence ? element("p", { text: sentence, dir: "auto" }) : null, again);
    this.node.prepend(this.#missing);
    if (hasFocus) again?.focus();
    this.changed();
  }

  /** Why the picture does not show: a browser does not tell. */
  async #reason() {
    try {
      const reply = await open(`posts/${this.post.id}/photo`, { query: { wait: 0 } });
      if (reply.ok) {
        reply.body?.cancel();
        return { title: text("post.photo.unreadable"), sentence: text("post.photo.unreadable.hint"), retries: false };
      }
      const { error } = await reply.json();
      return { title: text("post.photo.missing"), sentence: failureSentence(error), retries: true };
    } catch (error) {
      return { title: text("post.photo.missing"), sentence: failureSentence(error), retries: true };
    }
  }
}
