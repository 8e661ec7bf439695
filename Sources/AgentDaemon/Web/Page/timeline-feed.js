// The posts of the timeline, newest first. The next page is read when its end comes near.

import { avatar } from "./avatar.js";
import { read } from "./api.js";
import { button, element, icon } from "./elements.js";
import { failureSentence } from "./failure.js";
import { KeyedList } from "./keyed-list.js";
import { SessionEnded } from "./session.js";
import { formats, text } from "./texts.js";

const pageLength = 20;
// The agent's limit for one page.
const longestPage = 1000;

/** The list of posts. */
export class TimelineFeed {
  #posts = [];
  #next = null;
  #reading = null;

  /** `open(id)` shows a post with its comments. */
  constructor({ root, photos, open }) {
    Object.assign(this, { root, photos, open });
    this.list = element("ul", { class: "feed", on: { keydown: (event) => this.#pressed(event) } });
    this.posts = new KeyedList(this.list, (post) => new FeedPost(post, { photos, open }));
    this.end = element("div", { class: "feed-end" });
    this.node = element("div", { class: "feed-view" }, this.list, this.end);
    this.observer = new IntersectionObserver(
      (entries) => { if (entries.at(-1).isIntersecting) this.#more(); }, { root, rootMargin: "200% 0px" });
  }

  get isEmpty() { return this.#posts.length === 0; }

  /** Reads all pages that are shown again, at once. */
  async refresh() {
    const limit = Math.min(Math.max(this.#posts.length, pageLength), longestPage);
    const { posts, next } = await read("posts", { limit });
    const known = new Set(posts.map(({ id }) => id));
    // New posts push the oldest ones out of the reply: these stay as they are, and so does the place to read on from.
    const last = this.#posts.findLastIndex(({ id }) => known.has(id));
    const further = next === null || last < 0 ? [] : this.#posts.slice(last + 1);
    this.#posts = [...posts, ...further];
    if (further.length === 0) this.#next = next;
    this.#show();
  }

  close() { this.observer.disconnect(); }

  /** Puts the focus on a post. */
  focus(id) { this.posts.view(id)?.focus(); }

  #more() {
    if (this.#next === null) return;
    this.#reading ??= this.#readMore().finally(() => {
      this.#reading = null;
      this.#watchEnd();
    });
  }

  /** The observer reports only changes, but the end may still be near. After a failure, the user reads on. */
  #watchEnd() {
    this.observer.unobserve(this.end);
    if (!this.end.querySelector(".button")) this.observer.observe(this.end);
  }

  async #readMore() {
    this.end.replaceChildren(element("p", { text: text("loading") }));
    try {
      const { posts, next } = await read("posts", { limit: pageLength, cursor: this.#next });
      const known = new Set(this.#posts.map(({ id }) => id));
      this.#posts.push(...posts.filter(({ id }) => !known.has(id)));
      this.#next = next;
      this.#show();
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (error.code === undefined) throw error;
      this.end.replaceChildren(element("p", { text: failureSentence(error) }), button(text("retry"), () => this.#more()));
    }
  }

  #show() {
    const anchor = this.#firstVisible();
    const before = anchor?.getBoundingClientRect().top;
    this.posts.show(this.#posts);
    // What arrives above does not move what the user reads.
    if (anchor?.isConnected) this.root.scrollTop += anchor.getBoundingClientRect().top - before;
    this.end.replaceChildren(...(this.#next === null && this.#posts.length > 2 ? [element("p", { text: text("timeline.end") })] : []));
    this.#watchEnd();
  }

  /** The first post that is in view, once the user has left the top. */
  #firstVisible() {
    if (!this.list.isConnected || this.root.scrollTop === 0) return null;
    const { top } = this.root.getBoundingClientRect();
    return [...this.list.children].find((post) => post.getBoundingClientRect().bottom > top) ?? null;
  }

  /** The arrows go from post to post. */
  #pressed(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    const current = this.#posts.findIndex(({ id }) => this.posts.view(id).node.contains(event.target));
    const next = Math.min(Math.max(current + steps[event.key], 0), this.#posts.length - 1);
    event.preventDefault();
    this.focus(this.#posts[next].id);
  }
}

/** A post in the list. */
class FeedPost {
  constructor(post, { photos, open }) {
    this.photos = photos;
    this.photo = photos.photo(post);
    this.heading = new PostHeading(post);
    this.caption = element("p", { class: "post-caption clamped", dir: "auto" });
    this.comments = element("span");
    this.button = element("button", {
      type: "button", class: "photo-open", data: { key: `post/${post.id}` }, on: { click: () => open(post.id) },
    });
    this.photo.node.append(this.button);
    this.more = element(
      "button", { type: "button", class: "button quiet post-comments", on: { click: () => open(post.id) } },
      icon("comment"), this.comments);
    this.node = element(
      "li", { class: "post", data: { id: post.id } }, this.heading.node, this.photo.node, this.caption, this.more);
    this.update(post);
  }

  update(post) {
    this.heading.update(post);
    this.photo.update(post);
    this.caption.textContent = post.caption ?? text("post.captionless");
    this.caption.classList.toggle("missing", post.caption === null);
    const count = Math.max(post.commentCount - 1, 0);
    this.comments.textContent = count ? text("post.comments", { count }) : text("post.comment");
    this.button.setAttribute("aria-label", text("post.open", { author: authorName(post), caption: post.caption ?? "" }));
  }

  focus() { this.button.focus(); }

  close() { this.photos.remove(this.photo); }
}

/** Who posted, when, and whether the broker has it. */
export class PostHeading {
  constructor(post) {
    this.picture = element("div", { class: "post-avatar" });
    this.author = element("h3", { class: "row-name", dir: "auto" });
    this.time = element("time", { class: "row-second", datetime: post.timestamp, text: formats.shortMoment(post.timestamp) });
    this.edited = element("span", { class: "row-second", text: text("timeline.edited"), hidden: true });
    this.state = element("span", { class: "sending", hidden: true });
    this.node = element(
      "header", { class: "post-heading" }, this.picture,
      element("div", { class: "row-texts" }, this.author, element("div", {}, this.time, " ", this.edited)), this.state);
    this.update(post);
  }

  update(post) {
    const name = authorName(post);
    if (name !== this.author.textContent) this.picture.replaceChildren(avatar({ id: post.author, name }));
    this.author.textContent = name;
    showSending(this.state, post);
  }
}

/** The name of the author of a post or a comment. The agent has an English word for one that it does not know. */
export const authorName = ({ authorName: name }) => (name === "someone" ? text("timeline.someone") : name);

/** Shows that the broker does not have a text yet. */
export function showSending(node, { synced, state }) {
  node.hidden = synced;
  node.textContent = synced ? "" : text(state === "syncing" ? "timeline.sending" : "timeline.waiting");
}
