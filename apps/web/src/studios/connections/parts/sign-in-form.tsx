/** How Accord signs in to a system: the method, and its inputs; stored secrets may be left empty. */
import { Select } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import type { SignInFormProps } from "../form-props.ts";
import { ManifestSecrets } from "../manifest/manifest-secrets.tsx";
import { RedirectAddress } from "../oauth/redirect-address.tsx";

export function SignInForm(props: SignInFormProps) {
  return props.type.id === "manifest" ? <ManifestSecrets {...props} /> : <MethodForm {...props} />;
}

function MethodForm(props: SignInFormProps) {
  const { t } = useWords("connections");
  const { type, authType, readOnly = false } = props;
  const method = type.authMethods.find((candidate) => candidate.type === authType) ?? type.authMethods[0];
  if (!method) return null;
  const settings = method.settings ?? [];
  const isSetting = new Set(settings.map(({ name }) => name));
  const entriesOf = (values: Readonly<Record<string, unknown>>, areSettings: boolean) =>
    Object.entries(values).filter(([name]) => isSetting.has(name) === areSettings);
  const change = (next: Record<string, unknown>) => {
    if (settings.length > 0)
      props.onConfig?.(Object.fromEntries([...entriesOf(props.config, false), ...entriesOf(next, true)]));
    props.onCredentials(Object.fromEntries(entriesOf(next, false)));
  };
  return (
    <>
      {type.authMethods.length > 1 ? (
        <Select
          label={props.label ?? t("create.method")}
          data={type.authMethods.map(({ type: value, label }) => ({ value, label }))}
          value={method.type}
          allowDeselect={false}
          disabled={readOnly}
          onChange={(value) => value && props.onAuthType(value)}
        />
      ) : null}
      {method.type === "oauth" && props.redirect ? <RedirectAddress {...props.redirect} /> : null}
      {method.fields.length === 0 ? <p className="ac-form__lead">{t("create.noSignIn")}</p> : null}
      {/* Without inputs too: it reports that nothing is wrong any more with those of the method chosen before. */}
      <ConfigForm
        key={method.type}
        inputs={[...settings, ...method.fields]}
        values={{ ...Object.fromEntries(entriesOf(props.config, true)), ...props.credentials }}
        folded={["Advanced"]}
        configuredSecrets={props.stored ?? []}
        problems={props.problems ?? {}}
        showAll={props.showAll ?? false}
        readOnly={readOnly}
        onChange={change}
        onErrors={props.onErrors ?? (() => {})}
      />
    </>
  );
}
