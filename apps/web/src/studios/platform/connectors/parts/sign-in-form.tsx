/** How Accord signs in to a system: the method, and its inputs; stored secrets may be left empty. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { Select } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";

export interface SignInFormProps {
  type: ConnectorType;
  authType: string;
  credentials: Readonly<Record<string, unknown>>;
  /** Secrets the server holds already. */
  stored?: readonly string[];
  problems?: Readonly<Record<string, string>>;
  showAll?: boolean;
  readOnly?: boolean;
  onAuthType: (authType: string) => void;
  onCredentials: (credentials: Record<string, unknown>) => void;
  onErrors?: (count: number) => void;
}

export function SignInForm(props: SignInFormProps) {
  const { t } = useWords("connections");
  const { type, authType, readOnly = false } = props;
  const method = type.authMethods.find((candidate) => candidate.type === authType) ?? type.authMethods[0];
  if (!method) return null;
  return (
    <>
      {type.authMethods.length > 1 ? (
        <Select
          label={t("create.method")}
          data={type.authMethods.map(({ type: value, label }) => ({ value, label }))}
          value={method.type}
          allowDeselect={false}
          disabled={readOnly}
          onChange={(value) => value && props.onAuthType(value)}
        />
      ) : null}
      {method.fields.length === 0 ? <p className="ac-form__lead">{t("create.noSignIn")}</p> : null}
      {/* Without inputs too: it reports that nothing is wrong any more with those of the method chosen before. */}
      <ConfigForm
        key={method.type}
        inputs={method.fields}
        values={props.credentials}
        configuredSecrets={props.stored ?? []}
        problems={props.problems ?? {}}
        showAll={props.showAll ?? false}
        readOnly={readOnly}
        onChange={props.onCredentials}
        onErrors={props.onErrors ?? (() => {})}
      />
    </>
  );
}
