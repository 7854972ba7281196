/** What a program says of itself: its system, its ways to sign in, the addresses it may call, what it may do. */
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { KeyValueList } from "@accord/ui";
import { Anchor } from "@mantine/core";
import { useWords } from "../../../app/words.ts";

export function ProgramFacts({ description }: { description: SynapseDescription }) {
  const { t } = useWords("sdkSynapses");
  const { configFields, helpUrl } = description;
  const labelOf = ({ label, required }: { label: string; required?: boolean | undefined }): string =>
    required ? t("program.required", { label }) : label;
  return (
    <KeyValueList
      facts={[
        { key: t("program.system"), value: description.displayName },
        description.description !== "" && { key: t("program.description"), value: description.description },
        helpUrl !== undefined && {
          key: t("program.help"),
          value: (
            <Anchor href={helpUrl} target="_blank" rel="noreferrer noopener">
              {helpUrl}
            </Anchor>
          ),
        },
        {
          key: t("program.inputs"),
          value: configFields.length === 0 ? t("program.noInputs") : configFields.map(labelOf).join(", "),
        },
        {
          key: t("program.signIn"),
          value: description.authMethods
            .map(({ label, fields }) => [label, ...fields.map(labelOf)].join(": "))
            .join("; "),
        },
        { key: t("program.origins"), value: <Origins description={description} /> },
        {
          key: t("program.may"),
          value: description.capabilities.map((capability) => t(`program.capability.${capability}`)).join(", "),
        },
      ]}
    />
  );
}

/** An address that is one input alone lets each connection choose it: that is said in words. */
function Origins({ description: { origins, configFields } }: { description: SynapseDescription }) {
  const { t } = useWords("sdkSynapses");
  if (origins.length === 0) return t("program.noOrigins");
  return (
    <ul className="ac-sdk__origins">
      {origins.map((origin) => {
        const input = configFields.find(({ name }) => origin === `{${name}}`);
        return (
          <li key={origin}>
            <code>{origin}</code>
            {input ? <small>{t("program.anyOrigin", { input: input.label })}</small> : null}
          </li>
        );
      })}
    </ul>
  );
}
