/** Tells that a draft exists, which version is on screen, and publishes or discards it. */
import { discardEntityDraft, publishEntity } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Button } from "@mantine/core";
import { IconPencilBolt } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { SCHEMA_READS } from "../queries.ts";
import { CORE, draftChanges } from "../schema.model.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export interface DraftBarProps {
  draft: CoreEntity;
  published: CoreEntity | undefined;
  showsDraft: boolean;
}

export function DraftBar({ draft, published, showsDraft }: DraftBarProps) {
  const { t } = useWords("schema");
  const navigate = useNavigate();
  const mayWrite = useCan("WRITE_STUDIO");
  const [asking, setAsking] = useState<"publish" | "discard">();
  const publish = useCall(publishEntity, { refreshes: SCHEMA_READS });
  const discard = useCall(discardEntityDraft, { refreshes: SCHEMA_READS });
  const changes = draftChanges(published, draft);
  const params = { entityId: draft.id };
  const show = (version: "draft" | "published") =>
    void navigate({
      to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version",
      params: { connectorId: CORE, entityApiName: draft.apiName, version },
      replace: true,
    });

  const onPublish = async () => {
    const entity = await publish.mutateAsync({ params, body: { revision: draft.revision } });
    toast.success(t("entity.published", { name: entity.displayName, version: entity.version }));
    show("published");
  };
  const onDiscard = async () => {
    await discard.mutateAsync({ params });
    toast.success(t("entity.discarded"));
    if (published) show("published");
    else await navigate({ to: "/schema-studio/synapse/$connectorId", params: { connectorId: CORE } });
  };
  const lines = [
    changes.added.length > 0 ? t("entity.publishAdded", { count: changes.added.length }) : null,
    changes.changed.length > 0 ? t("entity.publishChanged", { count: changes.changed.length }) : null,
    changes.removed.length > 0
      ? t("entity.publishRemoved", { fields: changes.removed.map((field) => field.displayName).join(", ") })
      : null,
  ].filter((line) => line !== null);

  return (
    <div className="ac-draft-bar" data-quiet={!showsDraft || undefined} role="status">
      <IconPencilBolt size={16} aria-hidden />
      <span>{!showsDraft ? t("entity.publishedBar") : published ? t("entity.draftBar") : t("entity.newBar")}</span>
      <div className="ac-draft-bar__end">
        {published ? (
          <Button size="compact-sm" variant="subtle" onClick={() => show(showsDraft ? "published" : "draft")}>
            {showsDraft ? t("entity.seePublished") : t("entity.openDraft")}
          </Button>
        ) : null}
        {mayWrite && showsDraft ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => setAsking("discard")}>
              {t("entity.discard")}
            </Button>
            <Button size="compact-sm" onClick={() => setAsking("publish")}>
              {t("entity.publish")}
            </Button>
          </>
        ) : null}
      </div>
      <ConfirmDialog
        opened={asking === "publish"}
        onClose={() => setAsking(undefined)}
        title={t("entity.publishTitle", { name: draft.displayName })}
        action={t("entity.publishDeed", { name: draft.displayName })}
        danger={changes.removed.length > 0}
        {...(changes.removed.length > 0 ? { typeName: draft.apiName } : {})}
        onConfirm={onPublish}
      >
        <p>{t("entity.publishBody")}</p>
        {lines.length > 0 ? (
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ) : (
          <p>{t("entity.publishNothing")}</p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "discard"}
        onClose={() => setAsking(undefined)}
        title={t("entity.discardTitle", { name: draft.displayName })}
        action={t("entity.discardDeed")}
        onConfirm={onDiscard}
      >
        {published ? t("entity.discardBody") : t("entity.discardNewBody", { name: draft.displayName })}
      </ConfirmDialog>
    </div>
  );
}
