/** Which core entity takes the records: a new one with a name, or one that has no pipeline yet. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Card, ErrorBox } from "@accord/ui";
import { Anchor, Radio, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";

interface Props {
  /** undefined: a new one; null: an existing one that is not chosen yet. */
  target: CoreEntity | null | undefined;
  name: string;
  unmapped: readonly CoreEntity[];
  /** Entities that were made from the same entity of the system. */
  madeBefore: readonly CoreEntity[];
  isLocked: boolean;
  onTarget: (target: CoreEntity | null | undefined) => void;
  onName: (name: string) => void;
}

export function CoreChoice(props: Props) {
  const { t } = useWords("sync");
  const { target, unmapped, madeBefore, isLocked, onTarget } = props;
  const isFree = ({ id }: CoreEntity): boolean => unmapped.some((one) => one.id === id);
  const mapped = madeBefore.find((one) => one.version > 0 && !isFree(one));
  const unpublished = madeBefore.find((one) => one.version === 0 && isFree(one));
  return (
    <Card title={t("newPipeline.core")}>
      <p className="ac-new-pipeline__hint">{t("newPipeline.coreHint")}</p>
      {mapped ? (
        <div className="ac-new-pipeline__notice">
          {" "}
          <ErrorBox
            tone="info"
            message={t("newPipeline.hasPipeline", { name: mapped.displayName })}
            actions={
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/sync-studio/entity/$entityId/pipeline" params={{ entityId: mapped.id }} {...props} />
                )}
              >
                {t("newPipeline.openPipeline")}
              </Anchor>
            }
          />
        </div>
      ) : null}
      <Radio.Group
        aria-label={t("newPipeline.core")}
        value={target === undefined ? "new" : "existing"}
        onChange={(value) =>
          onTarget(value === "new" ? undefined : (madeBefore.find((one) => one.version > 0 && isFree(one)) ?? null))
        }
      >
        <div className="ac-new-pipeline__options">
          <Radio value="new" label={t("newPipeline.coreNew")} disabled={isLocked} />
          <Radio
            value="existing"
            label={t("newPipeline.coreExisting")}
            description={
              unmapped.length === 0
                ? t("newPipeline.noneUnmapped")
                : unpublished && t("newPipeline.unpublishedExists", { name: unpublished.displayName })
            }
            disabled={isLocked || unmapped.length === 0}
          />
        </div>
      </Radio.Group>
      {target === undefined ? <NewEntity {...props} /> : <ExistingEntity {...props} />}
    </Card>
  );
}

function NewEntity({ name, isLocked, onName }: Props) {
  const { t } = useWords("sync");
  return (
    <TextInput
      label={t("newPipeline.coreName")}
      description={isLocked ? t("newPipeline.locked", { name }) : undefined}
      value={name}
      maxLength={120}
      required
      readOnly={isLocked}
      error={name.trim() === "" ? t("newPipeline.coreNameMissing") : undefined}
      onChange={(event) => onName(event.currentTarget.value)}
      maw={420}
    />
  );
}

function ExistingEntity({ target, unmapped, madeBefore, onTarget }: Props) {
  const { t } = useWords("sync");
  const isFromHere = target ? madeBefore.some(({ id }) => id === target.id) : false;
  return (
    <Select
      label={t("newPipeline.coreEntity")}
      placeholder={t("newPipeline.chooseEntity")}
      description={
        target?.version === 0
          ? t("newPipeline.publishesDraft", { name: target.displayName })
          : isFromHere
            ? t("newPipeline.madeBefore", { name: target?.displayName ?? "" })
            : undefined
      }
      data={unmapped.map(({ id, version, displayName: name }) => ({
        value: id,
        label: version === 0 ? t("newPipeline.unpublished", { name }) : name,
      }))}
      value={target?.id ?? null}
      searchable
      allowDeselect={false}
      onChange={(id) => onTarget(unmapped.find((one) => one.id === id) ?? null)}
      maw={420}
    />
  );
}
