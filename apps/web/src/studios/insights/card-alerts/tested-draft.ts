/** What a test needs of an alert that is being entered. */
import type { Watchable } from "@accord/cards/definitions";
import { type AlertDraft, readDraft } from "./alert-draft.ts";

/** Stands for what else an alert needs: a test notifies nobody, and calls no address. */
const UNTESTED: Pick<AlertDraft, "name" | "recipients" | "webhook"> = {
  name: "-",
  recipients: ["0".repeat(24)],
  webhook: "",
};

/** The value that is compared and the condition, or what is wrong with them: the rest may still be missing. */
export const readTested = (draft: AlertDraft, watchable: Watchable): ReturnType<typeof readDraft> =>
  readDraft({ ...draft, ...UNTESTED }, watchable);
