/** The program files: a place to drop them, and each with its size, or what is wrong with it. */
import type { SdkSynapseFile } from "@accord/contracts/connections/sdk-synapse-shapes";
import { ErrorBox, StatusTag } from "@accord/ui";
import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { sizeOf } from "../../../../shared/byte-size.ts";
import { DropZone } from "../../files/drop-zone.tsx";
import { ACCEPTED_FILES, FILE_SLOTS, type FileSlot } from "../sdk-synapse.model.ts";
import type { SdkForm } from "../use-sdk-form.ts";
import "../../files/files.css";

interface FilesInputProps {
  form: SdkForm;
  stored: readonly SdkSynapseFile[];
  readOnly: boolean;
}

export function FilesInput({ form, stored, readOnly }: FilesInputProps) {
  const { t } = useWords("sdkSynapses");
  return (
    <>
      {readOnly ? null : (
        <DropZone
          accept={ACCEPTED_FILES}
          lead={t("form.drop")}
          button={t("form.choose")}
          hint={t("form.dropHint")}
          onFiles={form.choose}
        />
      )}
      <Said tone="error" sentences={form.refusedFiles} />
      <Said tone="info" sentences={form.replacedFiles} />
      <ul className="ac-sdk__files" aria-label={t("form.files")}>
        {FILE_SLOTS.map((slot) => (
          <FileRow
            key={slot}
            slot={slot}
            form={form}
            stored={stored.find(({ file }) => file === slot)}
            readOnly={readOnly}
          />
        ))}
      </ul>
    </>
  );
}

/** Of files that were chosen together: one sentence each. */
function Said({ tone, sentences }: { tone: "error" | "info"; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ErrorBox
      tone={tone}
      message={sentences.map((sentence, index) => (
        <div key={index}>{sentence}</div>
      ))}
    />
  );
}

interface FileRowProps extends Omit<FilesInputProps, "stored"> {
  slot: FileSlot;
  stored: SdkSynapseFile | undefined;
}

function FileRow({ slot, form, stored, readOnly }: FileRowProps) {
  const { t } = useWords("sdkSynapses");
  const chosen = form.files[slot];
  const problem = form.problems[slot];
  const { limits, packages = [] } = form.index ?? {};
  const facts = {
    size: limits ? sizeOf(limits[slot]) : "…",
    packages: packages.map(({ name, version }) => `${name} ${version}`).join(", "),
  };
  const name = chosen?.name ?? stored?.fileName;
  const size = chosen?.size ?? stored?.bytes ?? 0;
  return (
    <li>
      <span>{t(`form.slot.${slot}`)}</span>
      <div className="ac-sdk__file">
        {name === undefined ? null : (
          <strong>
            {name} · {sizeOf(size)}
          </strong>
        )}
        {problem ? (
          <small role="alert">{`${t(`form.slot.${slot}`)} ${problem}`}</small>
        ) : (
          <small>{t(`form.slotHint.${slot}`, facts)}</small>
        )}
      </div>
      <div className="ac-sdk__row">
        {chosen ? (
          <>
            <StatusTag tone="info">{t("form.chosen")}</StatusTag>
            <ActionIcon
              variant="subtle"
              aria-label={t("form.remove", { name: chosen.name })}
              onClick={() => form.drop(slot)}
            >
              <IconX size={15} />
            </ActionIcon>
          </>
        ) : stored ? (
          <StatusTag tone="ok">{t("form.stored")}</StatusTag>
        ) : slot === "requirementsFile" && !readOnly ? (
          <Button
            size="xs"
            variant="default"
            disabled={packages.length === 0}
            onClick={() => form.choose([requirementsOf(packages)])}
          >
            {t("form.makeRequirements")}
          </Button>
        ) : (
          <StatusTag tone="idle">{t("form.missing")}</StatusTag>
        )}
      </div>
    </li>
  );
}

/** What the server provides, as a file. */
function requirementsOf(packages: readonly { name: string; version: string }[]): File {
  const dependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  return new File([`${JSON.stringify({ dependencies }, null, 2)}\n`], "package.json", { type: "application/json" });
}
