// The dialog about who has a group: requests, people and the link. The owner and administrators decide there; other
// participants see the people and can leave.

import { isDefault, isManaged } from "./access-requests.js";
import { ApiError, call, read } from "./api.js";
import { ask, choiceField, problemSentence, replaceKeepingFocus, Sheet } from "./dialogs.js";
import { button, element, stateView } from "./elements.js";
import { failureView } from "./failure.js";
import { leave, names, others } from "./group-tools.js";
import { SessionEnded } from "./session.js";
import { linkSection, linkTimes, whoOptions } from "./share-link.js";
import { InvitationForm, peopleSection, requestsSection } from "./share-people.js";
import { text } from "./texts.js";

/** Shows and changes the share of one group. */
export class ShareDialog {
  #share = undefined;
  #drawn = {};
  // The number of the last read or write: what was read before a write must not be drawn after it.
  #calls = 0;
  #listening = new AbortController();
  // Whether the last reading has failed, which the message says until another one succeeds.
  #isOutdated = false;

  /** `actions` has `changed()`, which reads the groups again, `gone(id)`, `groups()` and the `events` of the agent. */
  constructor(group, actions) {
    Object.assign(this, { group, actions });
    this.sheet = new Sheet(text(group.role === "member" ? "share.title.of" : "share.title", { title: group.title }), { closed: () => this.#closed(), style: "share-sheet" });
    this.message = element("p", { class: "sheet-message", role: "status", dir: "auto" });
    this.sections = Object.fromEntries(["requests", "people", "link", "end"].map((name) =>
      [name, element("section", { class: `share-${name}` })]));
    this.invitation = new InvitationForm((body) => this.#send("POST", "participants", body));
    if (isDefault(group)) return this.sheet.present(this.#defaultGroup());
    this.#listen();
    this.sheet.present(stateView({ picture: "people", title: text("loading"), isLoading: true }));
    this.#refresh();
  }

  get manages() { return isManaged(this.group); }

  #listen() {
    const { signal } = this.#listening;
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#refresh(); }, { signal });
    this.actions.events.addEventListener("notification", ({ detail }) => { if (detail.group === this.group.id) this.#refresh(); }, { signal });
    // What happened while the agent was away or offline is known only now.
    for (const type of ["link", "reset", "status"]) this.actions.events.addEventListener(type, () => this.#refresh(), { signal });
  }

  #closed() {
    this.#listening.abort();
    this.actions.changed();
  }

  // Reading

  async #refresh() {
    const number = ++this.#calls;
    try {
      const share = await read(`groups/${this.group.id}/share`);
      if (number === this.#calls) this.#show(share);
    } catch (error) {
      if (number !== this.#calls) return;
      if (error.reason === "notShared") this.#show(null);
      else this.#failed(error, { isReading: true });
    }
  }

  /** Shows what a write has made of the share. */
  #written(share) {
    this.#calls += 1;
    this.#show(share);
  }

  #failed(error, { isReading = false } = {}) {
    if (error instanceof SessionEnded) return this.sheet.close();
    if (!(error instanceof ApiError)) throw error;
    // What is shown is still the newest that is known.
    if (this.#share !== undefined) {
      this.#isOutdated = isReading;
      this.message.textContent = problemSentence(error);
    } else this.sheet.present(failureView(text("share.failed"), error, () => this.#refresh()));
  }

  /** Runs an action of the dialog, and says why it has failed. */
  async #attempt(action) {
    this.message.textContent = "";
    try {
      await action();
    } catch (error) {
      // A choice that was not carried out is drawn as it was.
      this.#drawn = {};
      this.#show(this.#share);
      this.#failed(error);
    }
  }

  async #send(method, path, body) {
    const { data } = await call(method, `groups/${this.group.id}/${path}`, { body });
    this.#written(data);
    this.actions.changed();
    return data;
  }

  // Showing

  #show(share) {
    if (!this.sheet.isOpen) return;
    const wasShared = this.#share;
    this.#share = share;
    if (this.#isOutdated) this.message.textContent = "";
    this.#isOutdated = false;
    if (share === null) {
      if (wasShared !== null) {
        this.sheet.present(this.#beginning());
        this.sheet.body.querySelector("[name=anyone]").focus();
      }
      return;
    }
    if (!wasShared) {
      this.#drawn = {};
      this.sheet.present(this.message, ...Object.values(this.sections));
      this.sections.people.after(...(this.manages ? [this.invitation.node] : []));
    }
    this.#draw("requests", share.requests, () => requestsSection(share.requests, (person, body) => this.#answer(person, body)));
    this.#draw("people", share.participants, () => peopleSection(share.participants, this.manages ? this.#peopleActions() : null));
    this.#draw("link", [share.link, share.anyone, share.linkStanding, share.linkExpires, share.linkUsesLeft], () => (
      this.manages ? linkSection(share, this.#linkActions()) : []));
    this.#draw("end", share.participants, () => [this.#end(share)]);
  }

  /** Draws a section whose data are others: a list that is open must not close. */
  #draw(name, data, content) {
    const wanted = JSON.stringify(data);
    if (this.#drawn[name] === wanted) return;
    this.#drawn[name] = wanted;
    replaceKeepingFocus(this.sections[name], ...content());
    this.sections[name].hidden = this.sections[name].childElementCount === 0;
  }

  #defaultGroup() {
    return stateView({
      picture: "people", title: text("share.default", { title: this.group.title }), sentence: text("share.default.hint"),
    });
  }

  /** What is shown before the group is shared. */
  #beginning() {
    const anyone = choiceField({ name: "anyone", label: text("share.who"), value: "none", options: whoOptions() });
    const permission = choiceField({
      name: "permission", label: text("share.invited"), value: "readOnly",
      options: [["readOnly", text("share.view")], ["readWrite", text("share.edit")]],
    });
    const time = choiceField({ name: "expires", label: text("share.link.time"), value: "", options: linkTimes() });
    const problem = element("p", { class: "problem", role: "alert", dir: "auto" });
    const begin = async (event) => {
      event.preventDefault();
      try {
        await this.#send("POST", "share", {
          anyone: anyone.input.value, permission: permission.input.value, expiresSeconds: Number(time.input.value) || null,
        });
        this.sheet.body.querySelector("[name=invite]")?.focus();
      } catch (error) {
        if (!(error instanceof SessionEnded)) problem.textContent = problemSentence(error);
      }
    };
    return element(
      "form", { class: "sheet-form", on: { submit: begin } },
      element("p", { text: text("share.none") }),
      anyone.box, permission.box, time.box, problem,
      element("div", { class: "sheet-actions" }, element("button", { class: "button primary", text: text("share.begin"), data: { key: "share/begin" } })));
  }

  #end(share) {
    if (this.group.role !== "owner") {
      return element("div", { class: "sheet-actions" }, button(text("group.leave.action"), () => this.#leave(), "danger-text", { data: { key: "share/leave" } }));
    }
    return element("div", { class: "sheet-actions" }, button(text("share.stop"), () => this.#stop(share), "danger-text", { data: { key: "share/stop" } }));
  }

  // Acting

  #answer(person, body) {
    return this.#attempt(() => this.#send("POST", `requests/${encodeURIComponent(person.id)}`, body));
  }

  #peopleActions() {
    const path = (person) => `participants/${encodeURIComponent(person.id)}`;
    return {
      change: (person, body) => this.#attempt(() => this.#send("PATCH", path(person), body)),
      remove: (person) => ask({
        title: text("share.remove.title", { name: person.displayName, title: this.group.title }),
        sentences: [text("share.remove.hint")], action: text("share.remove"), style: "danger",
        run: () => this.#send("DELETE", path(person)),
      }),
    };
  }

  #linkActions() {
    return {
      open: (anyone) => this.#attempt(() => this.#send("PATCH", "share", { anyone })),
      renew: () => {
        const time = choiceField({ name: "renew", label: text("share.link.time"), value: "", options: linkTimes() });
        return ask({
          title: text("share.link.new"), sentences: [this.#share.link ? text("share.link.new.hint") : ""], content: time.box,
          action: text("share.link.new.action"),
          run: () => this.#send("POST", "share/link", { expiresSeconds: Number(time.input.value) || null }),
        });
      },
      revoke: () => ask({
        title: text("share.link.stop.title"), sentences: [text("share.link.stop.hint")], action: text("share.link.stop"), style: "danger",
        run: () => this.#send("DELETE", "share/link"),
      }),
    };
  }

  async #leave() {
    if (await leave(this.group, this.actions)) this.sheet.close();
  }

  async #stop(share) {
    const losers = others(share.participants);
    const stopped = await ask({
      title: text("share.stop.title", { title: this.group.title }), action: text("share.stop"), style: "danger",
      sentences: [
        losers.length ? text("share.stop.people", { people: names(losers), count: losers.length }) : text("share.stop.alone"),
        text("share.stop.hint"),
      ],
      run: () => call("DELETE", `groups/${this.group.id}/share`),
    });
    if (stopped) this.#written(null);
  }
}
