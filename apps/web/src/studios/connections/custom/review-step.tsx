/** Step 3 of an HTTP synapse: what is published, what changes for connections, and what is still missing. */
import type { HttpSynapse, SynapseChange } from "@accord/contracts/connections/http-synapses";
import type { ReplyOf } from "@accord/contracts";
import type { getSynapseChanges } from "@accord/contracts/connections/http-synapses";
import { ErrorBox, FormIntro, FormSkeleton, KeyValueList, StatusTag } from "@accord/ui";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { useSynapseAuthTypes, useSynapseChanges } from "./synapse-queries.ts";
import type { SynapseWork } from "./use-http-synapse.ts";

type Changes = ReplyOf<typeof getSynapseChanges>;

export function ReviewStep({ work }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  const { base } = work;
  if (!base) return null;
  return (
    <div className="ac-synapse-steps">
      <FormIntro>{t(base.status === "NEW" ? "form.reviewLead" : "form.reviewPublishedLead")}</FormIntro>
      <Facts synapse={base} />
      <Entities synapse={base} />
      {base.status === "NEW" ? <WhatChanges synapse={base} /> : null}
    </div>
  );
}

function Facts({ synapse }: { synapse: HttpSynapse }) {
  const { t } = useWords("customSynapses");
  const types = useSynapseAuthTypes();
  const method = types.data?.authTypes.find(({ type }) => type === synapse.authType);
  return (
    <KeyValueList
      facts={[
        { key: t("form.displayName"), value: synapse.displayName },
        { key: t("form.name"), value: <code>{synapse.name}</code> },
        { key: t("form.endpoint"), value: <code>{synapse.endpoint}</code> },
        { key: t("form.authType"), value: method?.label ?? synapse.authType },
        {
          key: t("form.testCall"),
          value: (
            <code>
              {synapse.method} {synapse.testPath || "/"}
            </code>
          ),
        },
        synapse.headers.length > 0 && {
          key: t("form.headers"),
          value: synapse.headers.map(({ name }) => name).join(", "),
        },
        synapse.variables.length > 0 && {
          key: t("form.variables"),
          value: synapse.variables.map(({ name, displayName }) => displayName || name).join(", "),
        },
      ]}
    />
  );
}

function Entities({ synapse }: { synapse: HttpSynapse }) {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const open = () =>
    void leave({
      to: "/synapses/custom-synapses/http/$synapseId/entities/$version",
      params: { synapseId: synapse.id, version: String(synapse.version) },
    });
  return (
    <>
      <div className="ac-synapse-steps__head">
        <h2>{t("entities")}</h2>
        <Button size="xs" variant="default" onClick={open}>
          {t(synapse.entities.length === 0 ? "form.addEntities" : "form.openEntities")}
        </Button>
      </div>
      {synapse.entities.length === 0 ? (
        <ErrorBox tone="warn" message={t("form.noEntities")} />
      ) : (
        <ul className="ac-synapse-list">
          {synapse.entities.map(({ entityId, displayName, operations, fieldCount }) => (
            <li key={entityId}>
              <strong>{displayName}</strong> · {t("entity.fieldCount", { count: fieldCount })} ·{" "}
              {operations.map((operation) => t(`entity.operation.${operation}`)).join(", ")}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WhatChanges({ synapse }: { synapse: HttpSynapse }) {
  const { t } = useWords("customSynapses");
  const changes = useSynapseChanges(synapse.id);
  return (
    <QueryView query={changes} skeleton={<FormSkeleton fields={2} />}>
      {(data) => (
        <>
          {data.problems.length > 0 && synapse.entities.length > 0 ? (
            <ErrorBox
              tone="warn"
              title={t("form.problems")}
              message={data.problems.map(({ path, message }) => (
                <div key={path}>
                  {path}: {message}
                </div>
              ))}
            />
          ) : null}
          <h2>{t("changes.title")}</h2>
          {synapse.publishedVersion === null ? (
            <FormIntro>{t("changes.first")}</FormIntro>
          ) : (
            <Listed changes={data.changes} />
          )}
          <Connections changes={data} />
        </>
      )}
    </QueryView>
  );
}

function Listed({ changes }: { changes: readonly SynapseChange[] }) {
  const { t } = useWords("customSynapses");
  if (changes.length === 0) return <FormIntro>{t("changes.nothing")}</FormIntro>;
  return (
    <ul className="ac-synapse-list">
      {changes.map(({ kind, isBreaking, entity, name }) => (
        <li key={`${kind} ${entity} ${name}`}>
          {t(`changes.${kind}`, { entity: entity ?? "", name: name ?? "" })}{" "}
          {isBreaking ? <StatusTag tone="warn">{t("changes.breaking")}</StatusTag> : null}
        </li>
      ))}
    </ul>
  );
}

function Connections({ changes: { connections, connectionsElsewhere } }: { changes: Changes }) {
  const { t } = useWords("customSynapses");
  if (connections.length === 0 && connectionsElsewhere === 0) return null;
  return (
    <>
      <h2>{t("changes.connections")}</h2>
      <FormIntro>{t("changes.takesEffect")}</FormIntro>
      <ul className="ac-synapse-list">
        {connections.map(({ connectorId, name, pipelines }) => (
          <li key={connectorId}>
            {pipelines.length === 0
              ? name
              : t("changes.pipelines", { name, pipelines: pipelines.map((one) => one.name).join(", ") })}
          </li>
        ))}
        {connectionsElsewhere > 0 ? <li>{t("changes.elsewhere", { count: connectionsElsewhere })}</li> : null}
      </ul>
    </>
  );
}
