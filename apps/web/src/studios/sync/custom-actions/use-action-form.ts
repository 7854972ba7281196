/** The state of the page of one action: what is typed, what is wrong with it, saving, and a version of somebody else. */
import { createCustomAction, CustomAction, updateCustomAction } from "@accord/contracts/sync/actions";
import { useMemo, useState } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import {
  type ActionDraft,
  apiNameFrom,
  draftOf,
  draftProblems,
  NEW_ACTION,
  NO_SECRET,
  type Problems,
  storedSecretOf,
  toInput,
} from "./action-form.model.ts";
import { ACTION_READS } from "./queries.ts";
import { useServerCheck } from "./use-server-check.ts";

export type ActionForm = ReturnType<typeof useActionForm>;

interface Options {
  stored: CustomAction | undefined;
  readOnly: boolean;
  onCreated: (action: CustomAction) => void;
}

const sameDraft = (one: ActionDraft, other: ActionDraft): boolean =>
  JSON.stringify(toInput(one)) === JSON.stringify(toInput(other));

export function useActionForm({ stored, readOnly, onCreated }: Options) {
  const { t } = useWords("customActions");
  /** What the server has, as of the last load or save here. */
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState<ActionDraft>(() => (stored ? draftOf(stored) : NEW_ACTION));
  const [newest, setNewest] = useState<CustomAction>();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [showsAll, setShowsAll] = useState(false);
  const [refused, setRefused] = useState<Problems>({});

  const secret = base ? storedSecretOf(base) : NO_SECRET;
  const saved = useMemo(() => (base ? draftOf(base) : NEW_ACTION), [base]);
  const isDirty = !readOnly && !sameDraft(draft, saved);
  const own = draftProblems(draft, secret, {
    required: t("sending.required"),
    otherHost: t("sending.otherHost", { host: secret.origin ?? "" }),
  });
  const isSound = Object.keys(own).length === 0;
  const server = useServerCheck(draft, base?.id, isDirty && isSound);
  const problems: Problems = { ...server, ...refused, ...own };

  const done = (action: CustomAction) => {
    setBase(action);
    setNewest(undefined);
    setRefused({});
    // What was typed meanwhile stays; the secret is stored now.
    setDraft(({ secret: _, ...now }) => now);
    setShowsAll(false);
    toast.success(t("page.saved"));
  };
  const onError = (error: Error) => {
    if (isStale(error)) {
      const parsed = CustomAction.safeParse(error.details["newest"]);
      if (parsed.success) setNewest(parsed.data);
    }
    setRefused(refusedFields(error));
  };
  const create = useCall(createCustomAction, {
    refreshes: ACTION_READS,
    onError,
    onSuccess: (action) => {
      done(action);
      onCreated(action);
    },
  });
  const update = useCall(updateCustomAction, { refreshes: ACTION_READS, onError, onSuccess: done });
  const { error } = base ? update : create;

  return {
    draft,
    saved,
    base,
    stored: secret,
    readOnly,
    isDirty,
    isSaving: create.isPending || update.isPending,
    problemCount: Object.keys(problems).length,
    showsAll,
    newest,
    /** What the server said of the last try, where no field and no other version says it. */
    failure: error && !newest && Object.keys(refused).length === 0 ? error : null,
    problemOf: (path: string): string | undefined =>
      showsAll || touched.has(path) || path in refused ? problems[path] : undefined,
    showAll: () => setShowsAll(true),
    edit(part: Partial<ActionDraft>, ...paths: string[]) {
      const changed = paths.length > 0 ? paths : Object.keys(part);
      setTouched((old) => new Set([...old, ...changed]));
      setRefused((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !changed.includes(path))));
      setDraft((old) => ({ ...old, ...part }));
    },
    rename(displayName: string) {
      const follows = base === undefined && draft.apiName === apiNameFrom(draft.displayName);
      const apiName = follows ? apiNameFrom(displayName) : draft.apiName;
      setTouched((old) => new Set([...old, "displayName", ...(follows && apiName !== "" ? ["apiName"] : [])]));
      setDraft((old) => ({ ...old, displayName, apiName }));
    },
    /** False where something has to be corrected first. */
    save(): boolean {
      setShowsAll(true);
      if (!isSound) return false;
      const body = toInput(draft);
      if (base)
        update.mutate({ params: { actionId: base.id }, body: { ...body, revision: (newest ?? base).revision } });
      else create.mutate({ body });
      return true;
    },
    loadNewest() {
      if (!newest) return;
      setBase(newest);
      setDraft(draftOf(newest));
      setNewest(undefined);
      setTouched(new Set());
      update.reset();
      toast.info(t("conflict.restored"));
    },
  };
}

function refusedFields(error: Error): Problems {
  if (!(error instanceof ApiError)) return {};
  if (error.code === "name_taken") return { apiName: error.message };
  if (error.code === "credential_host_changed") return { secret: error.message };
  return Object.fromEntries(error.fieldProblems.map(({ path, message }) => [path, message]));
}
