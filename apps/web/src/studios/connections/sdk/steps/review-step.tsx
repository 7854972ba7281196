/** Step 4 of an uploaded synapse, Review and submit: its files with their hashes, what the program may do, and the decision. */
import { FormIntro, KeyValueList, RelativeTime } from "@accord/ui";
import { Anchor } from "@mantine/core";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { sizeOf } from "../../../../shared/byte-size.ts";
import { draftFileAddress } from "../sdk-queries.ts";
import type { SdkWork } from "../use-sdk-work.ts";
import { Program } from "./create-step.tsx";
import { Decision } from "./decision.tsx";

export function ReviewStep({ work }: { work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  const { synapse, version, draft } = work;
  if (!synapse || !version) return null;
  return (
    <div className="ac-sdk">
      {draft?.approvalStatus === "NEW" ? <FormIntro>{t("review.lead")}</FormIntro> : null}
      <h2>{t("review.facts")}</h2>
      <Facts work={work} />
      {work.files.length > 0 ? (
        <>
          <h2>{t("review.files")}</h2>
          <Files work={work} />
        </>
      ) : null}
      <Program work={work} />
      {draft?.approvalStatus === "SUBMIT_FOR_APPROVAL" ? <Decision work={work} draft={draft} /> : null}
    </div>
  );
}

function Facts({ work: { synapse, version } }: { work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  if (!synapse || !version) return null;
  const { requirements, submittedAt, approvedAt } = version;
  return (
    <KeyValueList
      facts={[
        { key: t("form.displayName"), value: synapse.connectorMetaDisplayName },
        { key: t("form.name"), value: <code>{synapse.connectorMetaName}</code> },
        { key: t("review.requirements"), value: requirements.map((one) => `${one.name} ${one.version}`).join(", ") },
        { key: t("sharing.scope"), value: t(`sharing.scopes.${synapse.scope}`) },
        synapse.publishToGlobal && !synapse.isGlobal && { key: t("review.asked"), value: t("review.askedGlobal") },
        {
          key: t("review.contentHash"),
          hint: t("review.contentHashHint"),
          value: <span className="ac-sdk__hash">{version.contentHash}</span>,
        },
        { key: t("review.uploaded"), value: <RelativeTime at={version.uploadedAt} /> },
        submittedAt !== null && { key: t("review.submitted"), value: <RelativeTime at={submittedAt} /> },
        approvedAt !== null && { key: t("review.approved"), value: <RelativeTime at={approvedAt} /> },
      ]}
    />
  );
}

/** Approvers get them byte for byte. */
function Files({ work: { synapse, draft, files } }: { work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  const mayRead = useCan("APPROVE_CUSTOM_SYNAPSE");
  if (!synapse || !draft) return null;
  const nameOf = (file: (typeof files)[number]) => `${t(`form.slot.${file.file}`)}: ${file.fileName}`;
  return (
    <ul className="ac-sdk__files" aria-label={t("review.files")}>
      {files.map((file) => (
        <li key={file.file}>
          <span>{t(`form.slot.${file.file}`)}</span>
          <div className="ac-sdk__file">
            <strong>
              {file.fileName} · {sizeOf(file.bytes)}
            </strong>
            <small className="ac-sdk__hash">
              {t("review.hash")} {file.sha256}
            </small>
          </div>
          {mayRead ? (
            <Anchor
              href={draftFileAddress(synapse.connectorMetaDefinitionId, file.file, draft.contentHash)}
              download
              fz="inherit"
              aria-label={t("review.download", { name: nameOf(file) })}
            >
              {t("review.downloadShort")}
            </Anchor>
          ) : (
            <span />
          )}
        </li>
      ))}
    </ul>
  );
}
