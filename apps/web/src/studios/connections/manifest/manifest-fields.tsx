/** The manifest of a connection, what it is made of, and the inputs it asks for as a form of their own. */
import { MAX_MANIFEST_LENGTH, type ManifestFacts } from "@accord/contracts/connections/manifest-facts";
import type { Values } from "@accord/contracts/data/values";
import { CardSkeleton, ErrorBox } from "@accord/ui";
import { Button, FileButton, Textarea } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { isBlank, type FormValues } from "../../../shared/config-form/config-form.model.ts";
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import type { ConnectionFieldsProps } from "../form-props.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { ManifestSummary } from "./manifest-summary.tsx";
import {
  changedValues,
  flatValues,
  nestedValues,
  parsedValues,
  textOf,
  withoutSecrets,
} from "./manifest-values.model.ts";
import { useManifestFacts } from "./use-manifest-facts.ts";

export function ManifestFields(props: ConnectionFieldsProps) {
  const { values, problems = {}, readOnly = false, showAll = false, onChange, onErrors } = props;
  const { t } = useWords("manifests");
  const asked = useManifestFacts(values["manifest"], values["inputs"]);
  const { facts, error } = asked;
  const [opened] = useState(values);
  const [typed, setTyped] = useState<FormValues>({});
  const [inputErrors, setInputErrors] = useState(0);
  const isWaiting = !facts && asked.isAsking && !asked.isBlank && !asked.isTooLong && !error;

  const count = facts || !asked.isAsking ? inputErrors : 1;
  const report = useEffectEvent((now: number) => onErrors(now));
  useEffect(() => report(count), [count]);

  return (
    <>
      <ManifestText
        value={typeof values["manifest"] === "string" ? values["manifest"] : ""}
        problem={useManifestProblem(asked, showAll) ?? problems["manifest"]}
        readOnly={readOnly}
        onChange={(manifest) => onChange({ ...values, manifest })}
      />
      {error && !isOfManifest(error) ? <RefusalBox error={error} /> : null}
      {asked.isAsking ? null : <StoredInputs text={values["inputs"]} />}
      {isWaiting ? <CardSkeleton height={72} /> : null}
      {facts ? <ManifestSummary facts={facts} /> : null}
      {facts ? (
        <ManifestInputs
          {...{ facts, opened, values, typed, readOnly, showAll, onChange }}
          onTyped={setTyped}
          onErrors={setInputErrors}
        />
      ) : null}
      {problems["inputs"] ? <ErrorBox title={t("inputsRefused")} message={problems["inputs"]} /> : null}
    </>
  );
}

const isOfManifest = (error: Error): boolean => error instanceof ApiError && error.problemOf("manifest") !== undefined;

function useManifestProblem(
  { error, isBlank: isEmpty, isTooLong }: ReturnType<typeof useManifestFacts>,
  showAll: boolean,
): string | undefined {
  const { t } = useWords("manifests");
  if (isTooLong) return t("textTooLong", { count: MAX_MANIFEST_LENGTH });
  if (error instanceof ApiError) return error.problemOf("manifest");
  return isEmpty && showAll ? t("builder:form.required", { label: t("label") }) : undefined;
}

/** For those who may look and not change: the inputs as they are stored. */
function StoredInputs({ text }: { text: unknown }) {
  const { t } = useWords("manifests");
  if (typeof text !== "string" || text === "") return null;
  return (
    <Textarea
      label={t("inputs")}
      readOnly
      autosize
      maxRows={20}
      value={text}
      classNames={{ input: "ac-manifest__code" }}
    />
  );
}

type InputsProps = Pick<ConnectionFieldsProps, "values" | "readOnly" | "showAll" | "onChange" | "onErrors"> & {
  facts: ManifestFacts;
  /** What was stored when the form opened. */
  opened: FormValues;
  /** What was entered since, by name of the input, whatever manifest asked for it. */
  typed: FormValues;
  onTyped: (values: FormValues) => void;
};

/** The plain inputs: what is stored of them, with what was typed since the form opened. */
function ManifestInputs({ facts, opened, values, typed, readOnly = false, showAll = false, ...on }: InputsProps) {
  const { t } = useWords("manifests");
  const plain = facts.inputs.filter(({ secret }) => secret !== true);
  const valuesOf = (text: unknown): Values => parsedValues(text) ?? facts.values;
  const stored = withoutSecrets(facts.inputs, valuesOf(values["inputs"])).nested;
  const shown = { ...flatValues(plain, stored), ...typed };
  const store = (next: FormValues): void => {
    const inputs = textOf(nestedValues(plain, next, stored));
    if (inputs !== (values["inputs"] ?? "")) on.onChange({ ...values, inputs });
  };
  // Another manifest has other defaults, choices and secrets. A saved one stays as it is until somebody changes it.
  const isSaved = values["manifest"] === opened["manifest"];
  const fillIn = useEffectEvent(() => {
    if (!isSaved && !readOnly) store(shown);
  });
  useEffect(() => fillIn(), [facts]);
  const moved = [
    ...withoutSecrets(facts.inputs, valuesOf(opened["inputs"])).removed,
    ...facts.inputs.filter(({ name, secret }) => secret === true && !isBlank(typed[name])),
  ];
  const names = [...new Set(moved.map(({ label }) => label))];
  return (
    <>
      {names.length > 0 ? (
        <ErrorBox tone="warn" message={t("secretNow", { names: names.join(", "), count: names.length })} />
      ) : null}
      <ConfigForm
        inputs={plain}
        values={shown}
        showAll={showAll}
        readOnly={readOnly}
        onChange={(next) => {
          const changed = changedValues(shown, next);
          on.onTyped({ ...typed, ...changed });
          store({ ...shown, ...changed });
        }}
        onErrors={on.onErrors}
      />
    </>
  );
}

interface ManifestTextProps {
  value: string;
  problem: string | undefined;
  readOnly: boolean;
  onChange: (text: string) => void;
}

function ManifestText({ value, problem, readOnly, onChange }: ManifestTextProps) {
  const { t } = useWords("manifests");
  const [unread, setUnread] = useState<string>();
  const reset = useRef<() => void>(null);
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return;
    // The same file may be chosen again once it has been changed.
    reset.current?.();
    try {
      const text = file.size <= MAX_MANIFEST_LENGTH * 4 ? await file.text() : null;
      const isFit = text !== null && text.length <= MAX_MANIFEST_LENGTH;
      setUnread(isFit ? undefined : t("tooLong", { name: file.name, count: MAX_MANIFEST_LENGTH }));
      if (isFit) onChange(text);
    } catch {
      setUnread(t("unreadable", { name: file.name }));
    }
  };
  return (
    <div className="ac-manifest__text">
      <Textarea
        label={t("label")}
        description={t("hint")}
        required
        rows={10}
        spellCheck={false}
        classNames={{ input: "ac-manifest__code" }}
        readOnly={readOnly}
        value={value}
        error={unread ?? problem}
        onChange={(event) => {
          setUnread(undefined);
          onChange(event.currentTarget.value);
        }}
      />
      {readOnly ? null : (
        <FileButton
          resetRef={reset}
          accept=".yaml,.yml,.json,application/yaml,application/json"
          onChange={(file) => void choose(file)}
        >
          {(button) => (
            <Button {...button} variant="default" size="xs">
              {t("choose")}
            </Button>
          )}
        </FileButton>
      )}
    </div>
  );
}
