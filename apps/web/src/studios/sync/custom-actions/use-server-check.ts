/** What the server would refuse of a draft, asked for after a pause in typing: names that are taken, among others. */
import type { Id } from "@accord/contracts";
import { validateCustomAction } from "@accord/contracts/sync/custom-action-checks";
import { useEffect, useState } from "react";
import { call } from "../../../app/api.ts";
import { type ActionDraft, type Problems, toInput } from "./action-form.model.ts";

const PAUSE_MS = 500;
const NONE: Problems = {};

/** Problems by field; those of an older draft are gone with it. */
export function useServerCheck(
  draft: ActionDraft,
  actionId: Id<"customAction"> | undefined,
  isEnabled: boolean,
): Problems {
  const [checked, setChecked] = useState<{ draft: ActionDraft; problems: Problems }>();
  useEffect(() => {
    if (!isEnabled) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      call(validateCustomAction, { body: { ...toInput(draft), actionId } }, { signal: abort.signal })
        .then(({ problems }) =>
          setChecked({ draft, problems: Object.fromEntries(problems.map(({ path, message }) => [path, message])) }),
        )
        // Saving says what is wrong, should it come to that.
        .catch(() => {});
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [draft, actionId, isEnabled]);
  return checked?.draft === draft ? checked.problems : NONE;
}
