// What the page says about an import, in each of its states.

import { button, element, icon } from "./elements.js";
import { failureSentence } from "./failure.js";
import { importJob } from "./import-job.js";
import { formats, text } from "./texts.js";
import { undo } from "./undo.js";

const counts = ["added", "updated", "unchanged", "skipped", "failed", "flagged", "damaged"];
const longestList = 200;

/** Returns `{ title, content, update, sentence }`; `update(job)` shows the progress without drawing the view again. */
export function importView(job, place) {
  return { idle, checking, checked, running, done, failed }[job.state](job, place);
}

function idle() {
  const input = element("input", {
    type: "file", class: "visually-hidden", tabindex: "-1", "aria-label": text("import.choose"), id: "import-file",
    accept: ".vcf,.vcard,.csv,.json,.jcf,text/vcard,text/csv,application/json",
    on: { change: () => input.files[0] && importJob.check(input.files[0]) },
  });
  return {
    content: [
      element("p", { class: "hint", text: text("import.hint") }), input,
      element("div", { class: "form-actions" }, button(text("import.choose"), () => input.click(), "primary", { data: { key: "import-choose" } })),
    ],
  };
}

function checking(job) {
  const { nodes, show } = progress();
  const sentence = ({ counted, file, sent }) => text("import.checking", {
    file: file?.name ?? "",
    contacts: counted ? text("import.checking.contacts", { count: counted }) : sent.toLocaleString(formats.locale, { style: "percent" }),
  });
  show(sentence(job));
  return {
    content: [...nodes, cancelButton()], sentence: sentence(job),
    // How many contacts the file has is not known yet.
    update: (changed) => { show(sentence(changed), changed.counted ? 1 : changed.sent); return true; },
  };
}

function running(job) {
  const { nodes, show } = progress();
  const sentence = ({ part, expected }) => text("import.running", { done: Math.round(part * expected), all: expected });
  show(sentence(job), 0);
  return {
    content: [...nodes, element("div", { class: "form-actions" }, button(text("import.stop"), () => importJob.stop(), "", { data: { key: "import-stop" } }))],
    sentence: sentence(job),
    update: (changed) => { show(sentence(changed), changed.part); return true; },
  };
}

function progress() {
  const bar = element("progress", { class: "progress", "aria-label": text("import.title"), max: "1" });
  const label = element("p", { dir: "auto" });
  const show = (sentence, part) => {
    label.textContent = sentence;
    if (part !== undefined) bar.value = part;
  };
  return { nodes: [label, bar], show };
}

const cancelButton = () => element(
  "div", { class: "form-actions" }, button(text("import.cancel"), () => importJob.cancel(), "", { data: { key: "import-cancel" } }));

function checked(job, place) {
  const { summary, file } = job;
  if (job.counted + summary.failed === 0) {
    return {
      title: text("import.none"), sentence: text("import.none"),
      content: [element("p", { dir: "auto", text: text("import.none.hint", { file: file.name }) }), againButton()],
    };
  }
  const isNeeded = summary.added + summary.updated + summary.groups > 0 || summary.madeGroups.length > 0;
  return {
    title: text("import.preview"), sentence: text("import.preview"),
    content: [
      element("p", { class: "row-second", dir: "auto", text: file.name }), countList(job),
      ...choices(job, place),
      isNeeded ? null : element("p", { text: text("import.nothing") }),
      report(job, place),
      element(
        "div", { class: "form-actions" },
        isNeeded ? button(text("import.action"), () => importJob.start(), "primary", { data: { key: "import-start" } }) : null,
        button(text("import.cancel"), () => importJob.cancel(), "", { data: { key: "import-cancel" } })),
    ].filter(Boolean),
  };
}

/** A changed choice is checked again, because it changes what will happen. */
function choices(job, place) {
  const { options, file, summary } = job;
  const recheck = (changes) => importJob.check(file, { ...options, ...changes });
  const group = element(
    "select", { class: "field", id: "import-group", data: { key: "import-group" }, on: { change: () => recheck({ group: group.value }) } },
    element("option", { value: "", text: text("import.group.file") }),
    ...place.groups().filter(({ writable }) => writable).map(({ id, title }) =>
      element("option", { value: id, text: title, selected: id === options.group })));
  const policy = element(
    "select", { class: "field", id: "import-policy", data: { key: "import-policy" }, on: { change: () => recheck({ onDuplicate: policy.value }) } },
    ...["skip", "update", "new"].map((value) => element(
      "option", { value, text: text(`import.policy.${value}`), selected: value === options.onDuplicate })));
  const box = (id, key, control) => element("div", { class: "field-box" }, element("label", { for: id, text: text(key) }), control);
  return [element(
    "div", { class: "field-pair" }, box("import-group", "import.group", group),
    summary.skipped || options.onDuplicate !== "skip" ? box("import-policy", "import.policy", policy) : null)];
}

function done(job, place) {
  const takeBack = async () => { if (await undo(job.summary.action)) importJob.forget(); };
  return {
    title: text("import.done"), sentence: text("import.done"),
    content: [
      element("p", { class: "row-second", dir: "auto", text: job.file.name }), countList(job), report(job, place),
      element(
        "div", { class: "form-actions" }, button(text("import.again"), () => importJob.cancel(), "primary", { data: { key: "import-again" } }),
        job.summary.action === null ? null : button(text("import.undo"), takeBack, "", { data: { key: "import-undo" } })),
    ],
  };
}

function failed(job) {
  const sentence = job.wasStopped ? text("import.stopped") : failureSentence(job.error);
  return {
    title: text("import.failed.title"), sentence,
    content: [element("p", { class: job.wasStopped ? "" : "problem", dir: "auto", text: sentence }), againButton()],
  };
}

const againButton = () => element(
  "div", { class: "form-actions" }, button(text("import.again"), () => importJob.cancel(), "primary", { data: { key: "import-again" } }));

/** One sentence for each kind of outcome. */
function countList({ summary }) {
  return element(
    "ul", { class: "counts" },
    ...counts.filter((name) => summary[name] > 0).map((name) => element(
      "li", { class: ["failed", "flagged", "damaged"].includes(name) ? "warned" : null },
      icon(["failed", "flagged", "damaged"].includes(name) ? "alert" : "check"), element("span", { text: text(`import.${name}`, { count: summary[name] }) }))),
    summary.madeGroups.length
      ? element("li", {}, icon("people"), element("span", { dir: "auto", text: text("import.madegroups", { groups: new Intl.ListFormat(formats.locale).format(summary.madeGroups) }) })) : null);
}

/** A line for each contact, those with findings first. */
function report(job, place) {
  const flagged = job.contacts.filter(needsLook), others = job.contacts.filter((contact) => !needsLook(contact));
  const shown = [...flagged, ...others].slice(0, longestList);
  const hidden = job.contacts.length + job.unlisted - shown.length;
  return element(
    "details", { class: "report", open: flagged.length > 0 }, element("summary", { text: text("import.report") }),
    element(
      "ul", { tabindex: "0", "aria-label": text("import.report") }, ...job.findings.map((finding) => element("li", { dir: "auto", text: finding.message })),
      ...shown.map((contact) => line(contact, job, place))),
    hidden > 0 ? element("p", { class: "hint", text: text("import.more", { count: hidden }) }) : null);
}

const needsLook = ({ findings, outcome }) => findings.length > 0 || outcome === "failed";

function line({ name, id, outcome, findings }, job, place) {
  const shown = name || text("contact.unnamed");
  const canShow = id && job.state === "done" && outcome !== "failed";
  return element(
    "li", {},
    element(
      "p", { class: "report-name" },
      canShow
        ? element("a", { href: `#/contact/${id}`, text: shown, dir: "auto", on: { click: (event) => { event.preventDefault(); place.navigate.contact(id); } } })
        : element("span", { text: shown, dir: "auto" }),
      element("span", { class: outcome === "failed" ? "mark bad" : "mark", text: text(`import.outcome.${outcome}`) })),
    ...findings.map(({ message }) => element("p", { class: "hint", dir: "auto", text: message })));
}
