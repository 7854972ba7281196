/** The merge policy of a pipeline: fields that the winner keeps, and pairs of picklists taken from one record. */
import { getPipeline, listPipelines, patchPipelineSettings, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { FormActions } from "@accord/ui";
import { ActionIcon, Button, MultiSelect, Select } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useCoreEntity } from "../../pipeline-editor/queries.ts";
import { type FieldOption, fieldOptions, isIncomplete, isSamePolicy } from "../merge-policy.model.ts";
import { useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

type Policy = PipelineRow["mergeConfig"];

interface Props {
  row: PipelineRow;
  readOnly: boolean;
}

export function MergePolicyForm({ row, readOnly }: Props) {
  const { t } = useWords("sync");
  const { policy, options, patch, edit, revert, isChanged, problemOf } = usePolicy(row);
  useUnsavedChanges(isChanged);
  const [isChecked, setChecked] = useState(false);
  const retained = policy.retainFields.map((_, index) => problemOf(`retainFields.${index}`)).find(Boolean);
  return (
    <form
      noValidate
      className="ac-pipeline-settings__form"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!isIncomplete(policy)) patch.mutate({ params: { entityId: row.id }, body: { mergeConfig: policy } });
      }}
    >
      <MultiSelect
        label={t("settings.retain")}
        description={t("settings.retainHint")}
        data={options}
        value={policy.retainFields}
        readOnly={readOnly}
        error={retained}
        searchable
        onChange={(retainFields) => edit({ retainFields })}
      />
      <Pairs
        pairs={policy.dependentPicklists}
        options={options}
        readOnly={readOnly}
        isChecked={isChecked}
        problemOf={problemOf}
        onChange={(dependentPicklists) => edit({ dependentPicklists })}
      />
      {patch.error && !(patch.error instanceof ApiError && patch.error.fieldProblems.length > 0) ? (
        <RefusalBox error={patch.error} />
      ) : null}
      {readOnly ? null : (
        <FormActions>
          <Button
            variant="default"
            disabled={!isChanged}
            onClick={() => {
              setChecked(false);
              revert();
            }}
          >
            {t("settings.revert")}
          </Button>
          <Button type="submit" loading={patch.isPending} disabled={isSamePolicy(policy, row.mergeConfig)}>
            {t("settings.save")}
          </Button>
        </FormActions>
      )}
    </form>
  );
}

/** The policy as it is edited, what of it the server refused, and storing it. */
function usePolicy(row: PipelineRow) {
  const { t } = useWords("sync");
  // Null while nothing was changed: then what somebody else stores is shown.
  const [edited, setEdited] = useState<Policy | null>(null);
  const policy = edited ?? row.mergeConfig;
  const { data: entity } = useCoreEntity(row.id);
  // What is there is not known before the entity is.
  const goneLabel = (field: string): string => (entity ? t("settings.gone", { field }) : field);
  const patch = useCall(patchPipelineSettings, {
    refreshes: [getPipeline, listPipelines],
    onSuccess: () => {
      setEdited(null);
      toast.success(t("settings.saved", { name: row.name }));
    },
  });
  return {
    policy,
    options: fieldOptions(entity?.fields ?? [], policy, goneLabel),
    patch,
    isChanged: edited !== null,
    edit(part: Partial<Policy>): void {
      patch.reset();
      setEdited({ ...policy, ...part });
    },
    revert(): void {
      patch.reset();
      setEdited(null);
    },
    problemOf: (path: string): string | undefined =>
      patch.error instanceof ApiError ? patch.error.problemOf(`mergeConfig.${path}`) : undefined,
  };
}

type Pair = Policy["dependentPicklists"][number];

interface PairsProps {
  pairs: readonly Pair[];
  options: FieldOption[];
  readOnly: boolean;
  /** Somebody wanted to store them: what is missing is said. */
  isChecked: boolean;
  problemOf: (path: string) => string | undefined;
  onChange: (pairs: Pair[]) => void;
}

function Pairs({ pairs, options, readOnly, isChecked, problemOf, onChange }: PairsProps) {
  const { t } = useWords("sync");
  return (
    <fieldset className="ac-pipeline-settings__pairs">
      <legend>{t("settings.pairs")}</legend>
      <p>{t("settings.pairsHint")}</p>
      {pairs.length === 0 ? <p>{t("settings.noPairs")}</p> : null}
      {pairs.map((pair, index) => (
        <div key={index} role="group" aria-label={t("settings.pair", { number: index + 1 })}>
          {(["controlling", "dependent"] as const).map((side) => (
            <Select
              key={side}
              label={t(`settings.${side}`)}
              data={options}
              value={pair[side] || null}
              readOnly={readOnly}
              searchable
              allowDeselect={false}
              error={
                problemOf(`dependentPicklists.${index}.${side}`) ??
                (isChecked && pair[side] === "" ? t("settings.missing") : undefined)
              }
              onChange={(field) => onChange(pairs.map((one) => (one === pair ? { ...one, [side]: field ?? "" } : one)))}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={readOnly}
            aria-label={t("settings.removePair", { number: index + 1 })}
            onClick={() => onChange(pairs.filter((one) => one !== pair))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </div>
      ))}
      {readOnly ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...pairs, { controlling: "", dependent: "" }])}
        >
          {t("settings.addPair")}
        </Button>
      )}
    </fieldset>
  );
}
