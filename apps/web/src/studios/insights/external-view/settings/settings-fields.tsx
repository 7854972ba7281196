/** Inputs of the external view's settings, by what they are about. */
import { EXTERNAL_VIEW_LIMITS as LIMITS } from "@accord/contracts/insights/external-view";
import { Card, FormPair } from "@accord/ui";
import { Checkbox, NumberInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { Draft } from "./draft.ts";

interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  problemAt: (path: string) => string | undefined;
}

const PATHS = [
  ["dashboard", "external.settings.pathDashboard"],
  ["dataset", "external.settings.pathDataset"],
  ["datasetCopy", "external.settings.pathDatasetCopy"],
  ["dataCard", "external.settings.pathDataCard"],
] as const;

export function ProductFields({ draft, onChange, problemAt }: FieldsProps) {
  const { t } = useWords("insights");
  return (
    <Card title={t("external.settings.productTitle")}>
      <div className="ac-form">
        <TextInput
          label={t("external.settings.name")}
          description={t("external.settings.nameHelp")}
          withAsterisk
          value={draft.name}
          error={problemAt("name")}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t("external.settings.address")}
          description={t("external.settings.addressHelp")}
          withAsterisk
          inputMode="url"
          value={draft.address}
          error={problemAt("address")}
          onChange={(event) => onChange({ address: event.currentTarget.value })}
        />
        <fieldset className="ac-external-paths">
          <legend>{t("external.settings.paths")}</legend>
          <p className="ac-quiet">{t("external.settings.pathsHelp")}</p>
          {PATHS.map(([path, label]) => (
            <TextInput
              key={path}
              label={t(label)}
              value={draft.paths[path]}
              error={problemAt(`paths.${path}`)}
              onChange={(event) => onChange({ paths: { ...draft.paths, [path]: event.currentTarget.value } })}
            />
          ))}
        </fieldset>
      </div>
    </Card>
  );
}

export function TokenFields({ draft, onChange, problemAt, hasSecret }: FieldsProps & { hasSecret: boolean }) {
  const { t } = useWords("insights");
  return (
    <Card title={t("external.settings.tokenTitle")}>
      <div className="ac-form">
        <p className="ac-form__lead">{t("external.settings.tokenLead")}</p>
        <PasswordInput
          label={t("external.settings.secret")}
          description={t(hasSecret ? "external.settings.secretKept" : "external.settings.secretHelp")}
          withAsterisk={!hasSecret}
          autoComplete="off"
          value={draft.secret}
          error={problemAt("secret")}
          onChange={(event) => onChange({ secret: event.currentTarget.value })}
        />
        <TokenPlace {...{ draft, onChange, problemAt }} />
        <Checkbox
          label={t("external.settings.sendsPerson")}
          description={t("external.settings.sendsPersonHelp")}
          checked={draft.sendsPerson}
          onChange={(event) => onChange({ sendsPerson: event.currentTarget.checked })}
        />
      </div>
    </Card>
  );
}

function TokenPlace({ draft, onChange, problemAt }: FieldsProps) {
  const { t } = useWords("insights");
  return (
    <>
      <FormPair>
        <Select
          label={t("external.settings.tokenIn")}
          allowDeselect={false}
          data={[
            { value: "query", label: t("external.settings.tokenInQuery") },
            { value: "fragment", label: t("external.settings.tokenInFragment") },
          ]}
          value={draft.tokenIn}
          onChange={(next) => onChange({ tokenIn: next === "fragment" ? "fragment" : "query" })}
        />
        <TextInput
          label={t("external.settings.tokenName")}
          value={draft.tokenName}
          error={problemAt("tokenName")}
          onChange={(event) => onChange({ tokenName: event.currentTarget.value })}
        />
      </FormPair>
      <FormPair>
        <NumberInput
          label={t("external.settings.tokenSeconds")}
          description={t("external.settings.tokenSecondsHelp")}
          min={LIMITS.minTokenSeconds}
          max={LIMITS.maxTokenSeconds}
          clampBehavior="none"
          value={draft.tokenSeconds}
          error={problemAt("tokenSeconds")}
          onChange={(tokenSeconds) => onChange({ tokenSeconds })}
        />
        <TextInput
          label={t("external.settings.audience")}
          description={t("external.settings.audienceHelp")}
          value={draft.audience}
          error={problemAt("audience")}
          onChange={(event) => onChange({ audience: event.currentTarget.value })}
        />
      </FormPair>
    </>
  );
}

export function ListFields({ draft, onChange, problemAt }: FieldsProps) {
  const { t } = useWords("insights");
  return (
    <Card title={t("external.settings.listTitle")}>
      <div className="ac-form">
        <TextInput
          label={t("external.settings.listAddress")}
          description={t("external.settings.listAddressHelp")}
          inputMode="url"
          value={draft.listAddress}
          error={problemAt("listAddress")}
          onChange={(event) => onChange({ listAddress: event.currentTarget.value })}
        />
        <Checkbox
          label={t("external.settings.checksAccess")}
          description={t("external.settings.checksAccessHelp")}
          checked={draft.checksAccess}
          onChange={(event) => onChange({ checksAccess: event.currentTarget.checked })}
        />
      </div>
    </Card>
  );
}
