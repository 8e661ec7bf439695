// What a form says while the agent cannot store its draft.

import { element } from "./elements.js";
import { text } from "./texts.js";

/** Returns a notice that is shown while the text is only in this tab, and says why and what to do. */
export function draftProblem(writer) {
  const node = element("p", { class: "notice draft-problem", role: "status", dir: "auto", hidden: true });
  writer.problemChanged = () => {
    const { problem } = writer;
    node.hidden = problem === null;
    node.replaceChildren(...(problem ? sentence(problem) : []));
  };
  return node;
}

function sentence({ message, reason }) {
  if (reason === "draftTooLarge") return [text("draft.toolarge")];
  const link = element("a", { href: "#/drafts", text: text("draft.list") });
  return reason === "draftsFull" ? [text("draft.full"), " ", link] : [text("draft.failed", { reason: message })];
}
