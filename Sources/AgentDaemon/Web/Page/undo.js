// Undo of an action that the agent has just reported.

import { call } from "./api.js";
import { reportFailure } from "./failure.js";
import { text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

/** Shows a toast that offers to undo `action`, the number in the header `Undo-Action`; `then` runs after the undo. */
export function offerUndo(sentence, action, then = () => {}) {
  showToast(sentence, action === null ? null : {
    label: text("undo"),
    run: async () => {
      try {
        await call("POST", "undo", { body: { action: Number(action) } });
        announce(text("undone"));
        await then();
      } catch (error) {
        reportFailure(error);
      }
    },
  });
}
