// A conflict: two devices changed the same value, or one deleted what the other one changed.

import { ApiError, call, read } from "./api.js";
import { draftProblem } from "./draft-problem.js";
import { DraftWriter } from "./draft-writer.js";
import { drafts } from "./drafts.js";
import { button, element } from "./elements.js";
import { failureSentence, reportFailure } from "./failure.js";
import { fieldName, lineFields } from "./fields.js";
import { deviceName, formats, text } from "./texts.js";
import { offerUndo, undo } from "./undo.js";

const sides = ["mine", "theirs"];
// The writers of the drafts of conflicts whose forms are shown.
const writers = new Map();

/** What a conflict is about: “Company”, “Phone”, or the contact. */
export const conflictSubject = ({ field }) => (field === "" ? text("conflict.contact") : fieldName(field.split("/")[0]));

/** Both values by device, in one line: “laptop: Winter Clocks · phone: Winter Watches”. */
export function conflictSentence(conflict) {
  if (conflict.kind !== "values") return deletionSentence(conflict);
  return sides.map((side) => `${author(conflict, side)}: ${shownValue(conflict, side)}`).join(" · ");
}

/** Returns the choice between both values. `resolved()` runs after the user has decided. */
export function conflictView(conflict, { resolved }) {
  const node = element("section", { class: "conflict", "aria-label": conflictSubject(conflict) });
  const decided = () => {
    const pane = node.closest(".pane");
    node.remove();
    // The event about the decision may come before the reply, and the place has drawn itself again.
    pane?.focus({ preventScroll: true });
  };
  const choose = (keep, body) => decide(conflict, keep, { body, decided, resolved });
  const show = (...content) => node.replaceChildren(
    element("h4", { text: conflictSubject(conflict) }), ...content.flat().filter((part) => part !== null));
  const cancel = () => {
    removeDraft(conflict);
    showChoices();
    node.querySelector("[data-key$='/edit']").focus();
    // What has changed while the form was open is drawn now.
    resolved();
  };
  const showChoices = () => show(
    conflict.kind === "values" ? null : element("p", { text: deletionSentence(conflict), dir: "auto" }),
    choices(conflict, choose, () => {
      const form = editor(conflict, choose, cancel);
      show(form);
      form.querySelector(".field").select();
    }));
  if (drafts.free("conflict", conflict.id)) show(editor(conflict, choose, cancel)); else showChoices();
  return node;
}

function choices(conflict, choose, edit) {
  const key = (name) => ({ data: { key: `conflict/${conflict.id}/${name}` } });
  if (conflict.kind !== "values") {
    const kept = conflict.mine === "changed" ? "mine" : "theirs";
    const deleted = kept === "mine" ? "theirs" : "mine";
    const what = conflict.field === "" ? "contact" : "entry";
    return element(
      "div", { class: "form-actions" },
      button(text(`conflict.keep.${what}`), () => choose(kept), "", key("keep")),
      button(text(`conflict.delete.${what}`), () => choose(deleted), "", key("delete")));
  }
  const more = [
    canKeepBoth(conflict) ? button(text("conflict.both"), () => choose("both"), "quiet", key("both")) : null,
    canEdit(conflict) ? button(text("conflict.edit"), edit, "quiet", key("edit")) : null,
  ].filter(Boolean);
  return [
    element("ul", { class: "sides" }, ...sides.map((side) => option(conflict, side, () => choose(side), key(side)))),
    more.length ? element("div", { class: "form-actions" }, ...more) : null,
  ];
}

function option(conflict, side, choose, properties) {
  const device = author(conflict, side), value = shownValue(conflict, side);
  return element(
    "li", { class: "side" },
    element(
      "p", { class: "side-device" }, element("span", { text: device, dir: "auto" }),
      conflict.shown === side ? element("span", { class: "mark", text: text("conflict.shown") }) : null),
    element("p", { class: "side-value", text: value, dir: "auto" }),
    button(text("conflict.keep"), choose, "", { "aria-label": text("conflict.keep.of", { device, value }), ...properties }));
}

/** The forms are left; what was typed stays a draft. */
export function closeConflictForms() {
  for (const writer of writers.values()) writer.close();
  writers.clear();
}

function removeDraft({ id }) {
  writers.get(id)?.remove();
  writers.delete(id);
}

function editor(conflict, choose, cancel) {
  const value = conflict[conflict.shown];
  const stored = drafts.free("conflict", conflict.id);
  const writer = new DraftWriter({ kind: "conflict", target: conflict.id, continued: stored });
  writers.get(conflict.id)?.close();
  writers.set(conflict.id, writer);
  const keep = () => writer.write({ title: conflict.name, address: "/conflicts", base: { text: value }, texts: { text: input.value } });
  const tall = conflict.field === "note" || value.includes("\n");
  const input = element(tall ? "textarea" : "input", {
    class: "field", dir: "auto", "aria-label": conflictSubject(conflict), autocomplete: "off", name: "conflict-value",
    "aria-describedby": `problem-${conflict.id}`, data: { key: `conflict/${conflict.id}/value` },
    on: { input: keep },
  });
  input.value = stored?.texts.text ?? value;
  const problem = element("p", { class: "problem", role: "alert", dir: "auto", id: `problem-${conflict.id}` });
  const save = async (event) => {
    event.preventDefault();
    const failed = await choose(conflict.shown, changed(conflict, input.value.trim()));
    if (!failed) return;
    problem.textContent = failureSentence(failed);
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  return element(
    "form", { class: "typing conflict-form", on: { submit: save } },
    element("p", { class: "hint", dir: "auto", text: conflictSentence(conflict) }), input, problem, draftProblem(writer),
    element("div", { class: "form-actions" }, element("button", { class: "button primary", text: text("save") }), button(text("cancel"), cancel)));
}

/** What a change of the contact sends, so that the field has a value. */
function changed({ field }, value) {
  const [name, id, part] = field.split("/");
  return { [name]: id ? [{ id, [part]: value }] : value };
}

/** Keeps a side, after the change in `body` if there is one. Returns the error that the field has to show. */
async function decide(conflict, keep, { body, decided, resolved }) {
  let change = null;
  try {
    if (body) change = await changeShownValue(conflict, body);
  } catch (error) {
    if (error.code === undefined) throw error;
    return error;
  }
  try {
    const { headers } = await call("POST", `conflicts/${conflict.id}`, { body: { keep } });
    removeDraft(conflict);
    decided();
    const decision = headers.get("Undo-Action");
    // The value that the user has written is an action of its own. If it has changed since, the decision stays too.
    offerUndo(text("conflict.resolved", { name: conflict.name }), change ?? decision, async () => {
      if (change) await undo(decision);
      await resolved();
    });
    await resolved();
  } catch (error) {
    reportFailure(error);
  }
  return null;
}

/** Changes the value of the contact, unless it is another one than the user sees. Returns the number of the action. */
async function changeShownValue(conflict, body) {
  const { version } = await read(`contacts/${conflict.contact}`);
  const now = await read(`conflicts/${conflict.id}`);
  const isSame = ["shown", ...sides].every((key) => now[key] === conflict[key]);
  Object.assign(conflict, now);
  if (!isSame) throw new ApiError(412, { code: "conflict", message: text("conflict.changed", { values: conflictSentence(now) }) });
  const { headers } = await call("PATCH", `contacts/${conflict.contact}`, { body, version });
  return headers.get("Undo-Action");
}

function canKeepBoth({ field }) { return field.includes("/"); }

function canEdit({ field }) {
  const [name, id, part] = field.split("/");
  if (lineFields.includes(name) || ["emergency", "photo", "other", "group"].includes(name)) return false;
  return id === undefined || part !== undefined;
}

function deletionSentence(conflict) {
  const deleted = conflict.mine === "deleted" ? "mine" : "theirs";
  const changedSide = deleted === "mine" ? "theirs" : "mine";
  const key = conflict.field === "" ? "conflict.deleted.contact" : "conflict.deleted.entry";
  const isDeleted = conflict.shown === deleted;
  return `${text(key, { deleted: author(conflict, deleted), changed: author(conflict, changedSide) })} ${
    text(isDeleted ? "conflict.isdeleted" : "conflict.iskept")}`;
}

/** Where a value was set: the device, with the account if both devices have the same name. */
function author(conflict, side) {
  const by = conflict[`${side}By`], other = conflict[side === "mine" ? "theirsBy" : "mineBy"];
  if (!deviceName(by)) return text("conflict.unknown");
  return deviceName(by) === deviceName(other) ? `${deviceName(by)} (${by.name ?? by.account})` : deviceName(by);
}

function shownValue(conflict, side) {
  const value = conflict[side];
  if (value === "") return text("conflict.empty");
  return value.length > 600 ? `${formats.day(value).slice(0, 600)}…` : formats.day(value);
}
