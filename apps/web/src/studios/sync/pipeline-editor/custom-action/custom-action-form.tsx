/** The form of a node that performs a custom action: which one, its help, and one input for each of its variables. */
import { ErrorBox } from "@accord/ui";
import { type ActionVariable, type CustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import type { CompleteInput } from "@accord/contracts/config/inputs";
import { InputDefinition } from "@accord/contracts/config/inputs";
import { Values } from "@accord/contracts/data/values";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import { isBlank, textOf } from "@accord/expressions";
import { variableMismatches } from "@accord/sync-engine/actions";
import { Button, Skeleton } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { FunctionForm } from "../node-forms/function-form/function-form.tsx";
import type { NodeFormProps } from "../node-forms/node-form-props.ts";
import "./custom-action-form.css";

type Words = ReturnType<typeof useWords<"customActions">>["t"];

const ACTION = "actionId";
const VARIABLES = "variables";

interface Props extends NodeFormProps {
  definition: FunctionDescription | undefined;
}

/** Waits for its words by itself, so that the editor around it stays. */
export function CustomActionForm({ definition, ...form }: Props) {
  const outline = <Skeleton height={120} radius="md" />;
  return definition ? (
    <Suspense fallback={outline}>
      <ActionNodeForm {...form} definition={definition} />
    </Suspense>
  ) : (
    outline
  );
}

function ActionNodeForm({ definition, ...form }: NodeFormProps & { definition: FunctionDescription }) {
  const { t } = useWords("customActions");
  const actions = useEndpoint(listCustomActions);
  const only = (isMeant: (input: CompleteInput) => boolean) => ({
    ...definition,
    inputs: definition.inputs.filter(isMeant),
  });
  const actionId = form.configuration[ACTION];
  const action = actions.data?.actions.find(({ id }) => id === actionId);
  const isGone = actions.isSuccess && typeof actionId === "string" && actionId !== "" && !action;
  return (
    <>
      <FunctionForm {...form} definition={only(({ name }) => name === ACTION)} />
      {/* In a draft it is a problem of the node, shown above its form. */}
      {isGone && form.readOnly ? <ErrorBox message={t("node.gone")} /> : null}
      {action ? (
        <ChosenAction key={action.id} {...form} action={action} definition={definition} />
      ) : isGone || actions.isPending ? null : (
        <p className="ac-quiet">{t("node.choose")}</p>
      )}
      <FunctionForm {...form} definition={only(({ name }) => name !== ACTION && name !== VARIABLES)} />
    </>
  );
}

function ChosenAction({
  action,
  definition,
  ...form
}: NodeFormProps & { action: CustomAction; definition: FunctionDescription }) {
  const { t } = useWords("customActions");
  const values = Values.catch({}).parse(form.configuration[VARIABLES] ?? {});
  const store = (next: Values) => form.onChange({ ...form.configuration, [VARIABLES]: next }, { field: VARIABLES });
  const leftOver = variableMismatches(action.variables, values).filter(({ kind }) => kind === "unknown");
  return (
    <>
      <ActionHelp action={action} entityId={form.entityId} />
      {leftOver.map(({ name }) => (
        <ErrorBox
          key={name}
          tone="warn"
          message={t("node.leftOver", { name })}
          actions={
            form.readOnly ? null : (
              <Button
                size="xs"
                variant="default"
                onClick={() => store(Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)))}
              >
                {t("node.removeLeftOver")}
              </Button>
            )
          }
        />
      ))}
      {action.variables.length === 0 ? (
        <p className="ac-quiet">{t("node.noVariables")}</p>
      ) : (
        <FunctionForm
          {...form}
          definition={{ ...definition, inputs: action.variables.map((variable) => inputOf(variable, t)) }}
          configuration={values}
          onChange={(next) => store(Values.catch(values).parse(next))}
        />
      )}
    </>
  );
}

/** Every variable takes tokens, which have no date or switch of their own. */
function inputOf({ name, type, required, multivalued, defaultValue }: ActionVariable, t: Words): CompleteInput {
  const hasDefault = !isBlank(defaultValue);
  const help = [
    type === "any" ? "" : t(`node.type_${type}`),
    hasDefault ? t("node.default", { value: textOf(defaultValue) }) : "",
  ]
    .filter(Boolean)
    .join(" ");
  return InputDefinition.parse({
    name,
    label: name,
    datatype: "text",
    allowUserToken: true,
    required: required && !hasDefault,
    repeatable: multivalued,
    ...(help ? { helpText: help } : {}),
  });
}

function ActionHelp({ action, entityId }: { action: CustomAction } & Pick<NodeFormProps, "entityId">) {
  const { t } = useWords("customActions");
  const { basicHelpText, description, helpLink, id: actionId } = action;
  return (
    <div className="ac-chosen-action">
      {basicHelpText || description ? <p>{basicHelpText || description}</p> : null}
      <div>
        <Link to="/sync-studio/actions/$actionId" params={{ actionId }} search={{ pipeline: entityId }}>
          {t("node.open")}
        </Link>
        {helpLink ? (
          <a href={helpLink} target="_blank" rel="noreferrer noopener">
            {t("node.help")} <IconExternalLink size={13} aria-hidden />
          </a>
        ) : null}
      </div>
    </div>
  );
}
