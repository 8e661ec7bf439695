// A post with its comments.

import { avatar } from "./avatar.js";
import { call, read } from "./api.js";
import { ask } from "./dialogs.js";
import { drafts } from "./drafts.js";
import { button, element, iconButton } from "./elements.js";
import { reportFailure } from "./failure.js";
import { KeyedList } from "./keyed-list.js";
import { SessionEnded } from "./session.js";
import { TextForm } from "./text-form.js";
import { formats, text } from "./texts.js";
import { authorName, PostHeading, showSending } from "./timeline-feed.js";
import { announce } from "./toasts.js";

// The keys of writes that have not succeeded: if the user sends the same text again, the agent does it once.
const keys = new Map();

/** Reads a post with the first pages of its comments. */
export async function readPost(id, pages = 1) {
  const post = await read(`posts/${id}`);
  for (let page = 1; page < pages && post.next !== null; page += 1) {
    const { comments, next } = await read(`posts/${id}`, { cursor: post.next });
    post.comments.push(...comments);
    post.next = next;
  }
  return post;
}

/** A post, its comments and what the user can do with both. `up()` leaves it. */
export class PostView {
  #post = null;
  // How many pages of comments are shown.
  #pages = 1;
  #following = null;

  /** `post` is what `readPost` returns. */
  constructor(post, { photos, up }) {
    Object.assign(this, { photos, up });
    this.id = post.id;
    this.photo = photos.photo(post);
    this.heading = new PostHeading(post);
    this.heading.author.tabIndex = -1;
    this.caption = new EditableText({
      id: post.id, post: post.id, label: text("post.caption"), style: "post-caption",
      save: (caption) => this.#change("PATCH", `posts/${post.id}`, { caption }),
    });
    this.caption.finished = () => this.actions.querySelector("button")?.focus();
    this.follow = element("div", { class: "form-actions post-follow" });
    this.actions = element("div", { class: "row-actions" });
    this.list = element("ul", { class: "comments" });
    this.comments = new KeyedList(this.list, (comment) => new CommentRow(comment, {
      post: post.id, change: (body) => this.#change("PATCH", `comments/${comment.id}`, body), remove: () => this.#removeComment(comment),
    }));
    this.moreComments = button(text("post.comments.more"), () => this.#readMore(), "quiet");
    this.form = new TextForm({
      draft: { kind: "comment", target: post.id, title: post.caption ?? "", address: `/timeline/${post.id}` }, label: text("post.comment.label"), action: text("post.comment.send"),
      save: (body) => this.#change("POST", `posts/${post.id}/comments`, { text: body }),
    });
    this.node = element(
      "article", { class: "post-view", "aria-labelledby": "post-author" }, this.photo.node,
      element(
        "div", { class: "post-side" },
        element("div", { class: "post-top" }, this.heading.node, this.actions), this.caption.node, this.follow,
        element("h3", { class: "comments-title", text: text("post.comments.title") }), this.list, this.moreComments, this.form.node));
    this.heading.author.id = "post-author";
    this.update(post);
    this.#readFollowing();
  }

  /** Reads the post again. */
  async refresh() {
    this.update(await readPost(this.id, this.#pages));
    await this.#readFollowing();
  }

  update(post) {
    this.#post = post;
    this.heading.update(post);
    this.photo.update(post);
    this.caption.update(post.caption, post.own);
    this.actions.hidden = !post.own;
    if (post.own && !this.actions.firstChild) {
      this.actions.append(
        iconButton("edit", text("post.edit"), () => this.edit(), { "aria-keyshortcuts": "e" }),
        iconButton("delete", text("post.delete"), () => this.#remove(), { class: "danger" }));
    }
    // The caption is the first comment of the author.
    const caption = post.comments.find(({ author, own }) => author === post.author && own === post.own);
    this.heading.edited.hidden = !caption?.edited;
    this.comments.show(post.comments.filter((comment) => comment !== caption));
    const hadFocus = document.activeElement === this.moreComments;
    this.moreComments.hidden = post.next === null;
    if (hadFocus && post.next === null) this.form.focus();
  }

  focus() { this.heading.author.focus({ preventScroll: true }); }

  edit() { if (this.#post.own) this.caption.edit(); }

  close() {
    this.photos.remove(this.photo);
    for (const part of [this.form, this.caption, this.comments]) part.close();
  }

  async #readMore() {
    this.#pages += 1;
    try {
      await this.refresh();
    } catch (error) {
      this.#pages -= 1;
      reportFailure(error);
    }
  }

  async #change(method, path, body) {
    const write = JSON.stringify([method, path, body]);
    if (!keys.has(write)) keys.set(write, crypto.randomUUID());
    await call(method, path, { body, key: keys.get(write) });
    keys.delete(write);
    try {
      this.update(await readPost(this.id, this.#pages));
    } catch (error) {
      // The agent has the text; it is shown with the next event.
      if (error.code === undefined && !(error instanceof SessionEnded)) throw error;
    }
  }

  async #remove() {
    const isDone = await ask({
      title: text("post.delete.title"), sentences: [text("post.delete.sentence")], action: text("contact.delete"), style: "danger",
      run: () => call("DELETE", `posts/${this.id}`, { key: crypto.randomUUID() }),
    });
    if (!isDone) return;
    announce(text("post.deleted"));
    this.up();
  }

  async #removeComment({ id }) {
    const { node } = this.comments.view(id);
    const near = (node.nextElementSibling ?? node.previousElementSibling)?.dataset.id;
    const isDone = await ask({
      title: text("comment.delete.title"), sentences: [text("comment.delete.sentence")], action: text("contact.delete"),
      style: "danger", run: () => this.#change("DELETE", `comments/${id}`),
    });
    if (!isDone) return;
    announce(text("comment.deleted"));
    // The button that asked is gone.
    if (document.activeElement === document.body) (this.comments.view(near) ?? this.form).focus();
  }

  async #readFollowing() {
    try {
      this.#showFollowing(await read(`posts/${this.id}/follow`));
    } catch (error) {
      // The post itself says what is wrong.
      if (error.code === undefined) throw error;
    }
  }

  #showFollowing(state) {
    if (JSON.stringify(state) === JSON.stringify(this.#following)) return;
    this.#following = state;
    const key = this.follow.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.follow.replaceChildren(
      this.#followButton("comments", state.following, text("post.follow"), {}),
      ...(this.#post.own ? [] : [this.#followButton(
        "author", state.followingAuthor, text("post.follow.author", { author: authorName(this.#post) }), { author: true })]));
    if (key) this.follow.querySelector(`[data-key="${key}"]`)?.focus();
  }

  #followButton(name, isOn, label, query) {
    const toggle = async () => {
      try {
        const { data } = await call(isOn ? "DELETE" : "PUT", `posts/${this.id}/follow`, { query });
        this.#showFollowing(data);
        announce(text(isOn ? "post.unfollowed" : "post.followed"));
      } catch (error) {
        reportFailure(error);
      }
    };
    return button(label, toggle, "toggle", { "aria-pressed": String(isOn), data: { key: `follow/${name}` } });
  }
}

/** A comment of the list. */
class CommentRow {
  constructor(comment, { post, change, remove }) {
    this.author = element("span", { class: "row-name", dir: "auto" });
    this.state = element("span", { class: "sending", hidden: true });
    this.edited = element("span", { class: "row-second", text: text("timeline.edited"), hidden: true });
    this.text = new EditableText({
      id: comment.id, post, label: text("comment"), style: "comment-text", save: (body) => change({ text: body }),
    });
    const name = authorName(comment);
    this.edit = iconButton("edit", text("comment.edit"), () => this.text.edit(), { class: "quiet" });
    this.actions = comment.own
      ? element("div", { class: "row-actions" }, this.edit, iconButton("delete", text("comment.delete"), remove, { class: "quiet" }))
      : null;
    this.node = element(
      "li", { class: "comment", data: { id: comment.id }, tabindex: "-1" }, avatar({ id: comment.author, name }),
      element(
        "div", { class: "row-texts" },
        element(
          "p", { class: "comment-heading" }, this.author, " ",
          element("time", { class: "row-second", datetime: comment.timestamp, text: formats.shortMoment(comment.timestamp) }),
          " ", this.edited, " ", this.state),
        this.text.node),
      this.actions);
    this.text.finished = () => this.edit.focus();
    this.update(comment);
  }

  update(comment) {
    this.author.textContent = authorName(comment);
    this.text.update(comment.text, comment.own);
    this.edited.hidden = !comment.edited;
    showSending(this.state, comment);
  }

  focus() { (this.actions ? this.edit : this.node).focus(); }

  close() { this.text.close(); }
}

/** A text that its author can replace in place. */
class EditableText {
  #value = null;
  #form = null;

  /** `post` is the id of the post that shows the text `id`. */
  constructor({ id, post, label, style, save }) {
    Object.assign(this, { id, post, label, save });
    this.text = element("p", { class: style, dir: "auto" });
    this.node = element("div", { class: "editable" }, this.text);
    /** Called when the form closes: the focus needs a place. */
    this.finished = () => {};
  }

  update(value, isOwn) {
    const isNew = this.#value === null;
    this.#value = value;
    this.text.textContent = value ?? text("post.captionless");
    this.text.classList.toggle("missing", value === null);
    // A text that the user was editing when the page was closed.
    if (isNew && isOwn && value !== null && drafts.free("text", this.id)) this.edit({ takesFocus: false });
  }

  edit({ takesFocus = true } = {}) {
    if (this.#value === null) return;
    const open = this.node.querySelector("form");
    if (open) return open.querySelector("textarea").focus();
    const end = () => {
      const hadFocus = form.node.contains(document.activeElement);
      form.node.remove();
      this.#form = null;
      this.text.hidden = false;
      if (hadFocus) this.finished();
    };
    const form = new TextForm({
      draft: { kind: "text", target: this.id, title: this.#value, address: `/timeline/${this.post}` }, label: this.label, value: this.#value, action: text("save"), cancel: end,
      save: async (value) => {
        if (value !== this.#value) await this.save(value);
        end();
      },
    });
    this.#form = form;
    this.text.hidden = true;
    this.node.append(form.node);
    if (takesFocus) form.focus();
  }

  close() { this.#form?.close(); }
}
