// The timeline: photos that people post, with captions and comments.

import { drafts } from "./drafts.js";
import { button, element, icon, stateView } from "./elements.js";
import { pictureIn } from "./picture-file.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { Composer } from "./timeline-composer.js";
import { TimelineFeed } from "./timeline-feed.js";
import { TimelinePhotos } from "./timeline-photo.js";
import { PostView, readPost } from "./timeline-post.js";
import { announce, showToast } from "./toasts.js";

/** Shows the posts, or one post with its comments. */
export default class TimelinePlace {
  #feed = null;
  #feedTop = 0;
  #post = null;
  #item = null;
  // Whether something has changed that the view does not show yet.
  #isStale = true;
  #reading = null;
  #state = null;

  constructor(place) {
    this.place = place;
    this.photos = new TimelinePhotos(place.content, () => place.status()?.state === "offline");
    this.compose = element(
      "button", { type: "button", class: "button primary", "aria-keyshortcuts": "n", on: { click: () => this.add() } },
      icon("add"), element("span", { text: text("post.new") }));
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    addEventListener("paste", (event) => this.#take(event, event.clipboardData), { signal });
    place.content.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    place.content.addEventListener("drop", (event) => {
      event.preventDefault();
      if (!this.#take(event, event.dataTransfer)) showToast(text("photo.unreadable"));
    }, { signal });
  }

  async show(item) {
    const before = this.#item;
    if (before === null && this.#feed) this.#feedTop = this.place.content.scrollTop;
    this.#item = item;
    this.#closePost();
    this.#isStale = true;
    const goesBack = item === null && this.#feed;
    if (goesBack) {
      this.#presentFeed();
      this.#feed.focus(before);
    }
    await this.refresh();
    // The user has chosen the draft of a post in the list.
    if (item === null && drafts.isChosen("post")) this.add();
    // The post may have been deleted, and its entry with it.
    if (goesBack && document.activeElement === document.body) document.getElementById("place").focus({ preventScroll: true });
  }

  async refresh() {
    if (!this.#isStale) return;
    // Events that arrive during a reading cause one more.
    if (this.#reading) return;
    this.#isStale = false;
    this.#reading = this.#read(this.#item);
    try {
      await this.#reading;
    } finally {
      this.#reading = null;
    }
    if (this.#isStale) await this.refresh();
  }

  /** Whether an event of the agent is about the timeline. */
  event(type, detail) {
    const isOurs = ["reset", "link", "sync.finished"].includes(type) || ["Post", "Comment"].includes(detail?.type);
    if (isOurs) this.#isStale = true;
    if (type === "sync.finished") this.refresh();
    if (type === "status") this.#showState(detail.state);
    if (type === "link" && detail) this.photos.retry();
  }

  /** Photos that were not on this device can be read once the broker is there. */
  #showState(state) {
    if (state === "live" && this.#state !== "live") this.photos.retry();
    this.#state = state;
  }

  close() {
    this.listeners.abort();
    this.#closePost();
    this.#feed?.close();
    this.photos.close();
  }

  /** Begins a post. */
  add(file = null) {
    if (document.querySelector("dialog[open]")) return;
    new Composer({ posted: (post) => this.#posted(post) }).open(file);
  }

  /** Edits the caption that is shown. */
  edit() { this.#post?.edit(); }

  async #read(item) {
    try {
      if (item === null) await this.#readFeed(); else await this.#readPost(item);
    } catch (error) {
      if (item !== this.#item) return;
      this.#failed(error, item);
    }
    if (item !== this.#item) this.#isStale = true;
  }

  async #readFeed() {
    const isFirst = this.#feed === null;
    this.#feed ??= new TimelineFeed({
      root: this.place.content, photos: this.photos, open: (id) => this.place.navigate.place("timeline", id),
    });
    try {
      await this.#feed.refresh();
    } catch (error) {
      if (isFirst) this.#dropFeed();
      throw error;
    }
    if (this.#item === null) this.#presentFeed();
  }

  #dropFeed() {
    this.#feed?.close();
    this.#feed = null;
  }

  #presentFeed() {
    const view = this.#feed.isEmpty ? this.#empty() : this.#feed.node;
    if (!view.isConnected) {
      this.place.present(view, { note: "", tools: [this.compose] });
      this.place.content.scrollTop = this.#feedTop;
    }
  }

  #empty() {
    return this.place.content.querySelector(".state.timeline-empty") ?? (() => {
      const view = stateView({
        picture: "photo", title: text("timeline.empty"), sentence: text("timeline.empty.hint"),
        actions: [button(text("post.new"), () => this.add(), "primary", { data: { key: "compose" } })],
      });
      view.classList.add("timeline-empty");
      return view;
    })();
  }

  async #readPost(id) {
    const post = this.#post?.id === id ? this.#post : null;
    if (post) return post.refresh();
    const found = await readPost(id);
    if (this.#item !== id) return;
    this.#post = new PostView(found, { photos: this.photos, up: () => this.place.navigate.up() });
    this.place.present(this.#post.node, { note: "", tools: [] });
    this.place.content.scrollTop = 0;
    this.#post.focus();
  }

  #failed(error, item) {
    if (item !== null && error.code === "unknownItem") {
      this.#closePost();
      const view = stateView({
        picture: "delete", title: text("post.gone"), sentence: text("post.gone.hint"),
        actions: [button(text("post.tolist"), () => this.place.navigate.up(), "", { data: { key: "tolist" } })],
      });
      const hadFocus = this.place.content.contains(document.activeElement);
      this.place.present(view, { note: "", tools: [] });
      if (hadFocus) view.querySelector("button").focus();
      return;
    }
    // What is shown already says more than an error.
    if (item === null ? this.#feed : this.#post) {
      if (error.code === undefined && !(error instanceof SessionEnded)) throw error;
      return;
    }
    this.place.fail(error, () => { this.#isStale = true; this.refresh(); });
  }

  #closePost() {
    this.#post?.close();
    this.#post = null;
  }

  #take(event, data) {
    if (this.#item !== null || document.querySelector("dialog[open]")) return false;
    const file = pictureIn(event, data);
    if (file) this.add(file);
    return file !== null;
  }

  async #posted({ synced }) {
    announce(text(synced ? "post.posted" : "post.posted.waiting"));
    this.#isStale = true;
    await this.refresh();
    if (this.#item !== null) return this.place.navigate.place("timeline");
    this.place.content.scrollTop = 0;
    this.compose.focus();
  }
}
