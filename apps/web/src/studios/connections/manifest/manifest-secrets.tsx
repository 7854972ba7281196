/** The secret inputs of a manifest: each an input of its own, stored together and encrypted. */
import type { ManifestFacts } from "@accord/contracts/connections/manifest-facts";
import { CardSkeleton, FormIntro } from "@accord/ui";
import { useEffect, useEffectEvent, useState } from "react";
import { useWords } from "../../../app/words.ts";
import { effectiveValues, isBlank, type FormValues } from "../../../shared/config-form/config-form.model.ts";
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import type { SignInFormProps } from "../form-props.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { flatValues, isMeant, nestedValues, parsedValues, textOf } from "./manifest-values.model.ts";
import { useManifestFacts } from "./use-manifest-facts.ts";

const WITH_SECRETS = "apiSecretKey";

export function ManifestSecrets(props: SignInFormProps) {
  const { t } = useWords("manifests");
  const { facts, error, isBlank, isAsking } = useManifestFacts(props.config["manifest"], props.config["inputs"]);
  if (facts) return <SecretInputs {...props} facts={facts} />;
  if (!isAsking) return <p className="ac-form__lead">{t("secretsHidden")}</p>;
  if (error) return <RefusalBox error={error} />;
  return isBlank ? <p className="ac-form__lead">{t("manifestFirst")}</p> : <CardSkeleton height={72} />;
}

function SecretInputs(props: SignInFormProps & { facts: ManifestFacts }) {
  const { facts, config, credentials, authType, stored = [], readOnly = false, onAuthType, onCredentials } = props;
  const { t } = useWords("manifests");
  const { inputs } = facts;
  const secrets = inputs.filter(({ secret }) => secret === true);
  const [typed, setTyped] = useState<FormValues>({});
  const plain = flatValues(inputs, parsedValues(config["inputs"]) ?? facts.values);
  const shown = { ...flatValues(secrets, parsedValues(credentials["secrets"]) ?? {}), ...typed };
  const all = effectiveValues(inputs, { ...plain, ...shown });
  const meant = secrets.filter((input) => isMeant(input, inputs, all)).map(({ name }) => name);
  // What is stored is known for the choices that were saved alone.
  const [saved] = useState(meant);
  const isStored = stored.length > 0 && meant.every((name) => saved.includes(name));
  const isEntered = meant.some((name) => !isBlank(shown[name]));

  const send = (values: FormValues): void => {
    const text = textOf(nestedValues(secrets, values, {}, { inputs, values: { ...all, ...values } }));
    if (text === (credentials["secrets"] ?? "")) return;
    if (text !== "" && authType !== WITH_SECRETS) onAuthType(WITH_SECRETS);
    onCredentials(text === "" ? {} : { secrets: text });
  };
  // Secrets of a choice that is not taken any more are not sent; without any there is nothing to sign in with.
  const settle = useEffectEvent(() => {
    if (readOnly) return;
    if (!isEntered && stored.length === 0 && authType !== "none") onAuthType("none");
    else send(shown);
  });
  const meantNames = meant.join(" ");
  useEffect(() => settle(), [facts, meantNames, isEntered]);

  return (
    <>
      {secrets.length === 0 ? <p className="ac-form__lead">{t("noSecrets")}</p> : null}
      {stored.length > 0 && (isEntered || !isStored) ? <FormIntro>{t("allSecrets")}</FormIntro> : null}
      {/* Without inputs too: it reports that nothing is wrong any more with those of another manifest. */}
      <ConfigForm
        inputs={secrets}
        values={all}
        configuredSecrets={isStored && !isEntered ? meant : []}
        showAll={props.showAll ?? false}
        readOnly={readOnly}
        onChange={(next) => {
          const values = Object.fromEntries(secrets.map(({ name }) => [name, next[name]]));
          setTyped(values);
          send(values);
        }}
        onErrors={props.onErrors ?? (() => {})}
      />
    </>
  );
}
