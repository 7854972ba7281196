/**
 * A form made from input definitions: node configuration, connector configuration, card settings. One component per
 * kind of input; every rule is in config-form.model.ts.
 */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from "react";
import { useWords } from "../../app/words.ts";
import type { BuilderField } from "../predicate-builder/predicate.model.ts";
import type { TokenGroup } from "../token-picker/token-text.model.ts";
import { ConfigInput } from "./config-input.tsx";
import type { KeptInvalid } from "./input-props.ts";
import {
  effectiveValues,
  problemsOf,
  sectionsOf,
  type FormContext,
  type FormValues,
  type Option,
} from "./config-form.model.ts";
import "./config-form.css";

export interface ConfigFormProps extends FormContext {
  inputs: readonly InputDefinition[];
  values: FormValues;
  /** All values, hidden ones included. A secret left out of them stays as the server has it. */
  onChange: (values: Record<string, unknown>) => void;
  /** Number of problems now; Save stays off while it isn't 0. */
  onErrors?: (count: number) => void;
  readOnly?: boolean;
  /** Fields for conditions and field choices. */
  fields?: readonly BuilderField[];
  /** Other fields for a single input: those of an entity that another input names. */
  fieldsFor?: (input: InputDefinition) => readonly BuilderField[] | undefined;
  tokens?: readonly TokenGroup[];
  /** Inside a pipeline, conditions may ask what changed. */
  pipeline?: boolean;
  /** The server's words about single inputs, by name. */
  problems?: Readonly<Record<string, string>>;
  /** Shows what is missing in inputs not yet touched: after a press on Save. */
  showAll?: boolean;
  /** Options of choices that no definition lists: by render type, or dependent on another input's value. */
  loadOptions?: (input: InputDefinition, controllingValue: unknown) => Promise<readonly Option[]>;
  /** Keeps what was entered in an input, by name, and can't be stored; else that goes with the form. */
  invalidOf?: (name: string) => KeptInvalid;
  /** Headings folded at first. */
  folded?: readonly string[];
}

export function ConfigForm(props: ConfigFormProps) {
  const { inputs, values, onChange, onErrors, isSetValueOnEntity, configuredSecrets } = props;
  const context = useMemo(
    () => ({
      ...(isSetValueOnEntity === undefined ? {} : { isSetValueOnEntity }),
      ...(configuredSecrets === undefined ? {} : { configuredSecrets }),
    }),
    [isSetValueOnEntity, configuredSecrets],
  );
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => effectiveValues(inputs, values), [inputs, values]);
  const problems = useMemo(() => problemsOf(inputs, shown, context), [inputs, shown, context]);
  const { t } = useWords("builder");

  const count = Object.keys(problems).length;
  const tell = useEffectEvent((now: number) => onErrors?.(now));
  useEffect(() => tell(count), [count]);

  const touch = (name: string) => setTouched((old) => (old.has(name) ? old : new Set(old).add(name)));
  const wordsOf = (input: InputDefinition): string | undefined => {
    const code = problems[input.name];
    if (code === undefined) return props.problems?.[input.name];
    const isQuiet = code === "required" && !touched.has(input.name) && !props.showAll;
    return isQuiet ? props.problems?.[input.name] : t(`form.${code}`, { label: input.label });
  };
  const change = (name: string, value: unknown) => {
    touch(name);
    const next = { ...values };
    if (value === undefined) delete next[name];
    else next[name] = value;
    onChange(next);
  };

  return (
    <div className="ac-config">
      {sectionsOf(inputs, shown, context).map((section) => (
        <Section
          key={section.title ?? ""}
          title={section.title}
          isFolded={props.folded?.includes(section.title ?? "") ?? false}
          mustShow={props.showAll === true && section.inputs.some(({ name }) => problems[name] !== undefined)}
        >
          {section.inputs.map((input) => (
            <ConfigInput
              key={input.name}
              input={input}
              inputs={inputs}
              value={shown[input.name]}
              controllingValue={input.dependsOn ? shown[input.dependsOn.dependantField] : undefined}
              problem={wordsOf(input)}
              readOnly={props.readOnly ?? false}
              isConfigured={configuredSecrets?.includes(input.name) ?? false}
              fields={props.fieldsFor?.(input) ?? props.fields ?? []}
              tokens={props.tokens}
              pipeline={props.pipeline ?? props.tokens !== undefined}
              loadOptions={props.loadOptions}
              invalid={props.invalidOf?.(input.name)}
              onChange={(value) => change(input.name, value)}
              onTouched={() => touch(input.name)}
            />
          ))}
        </Section>
      ))}
    </div>
  );
}

interface SectionProps {
  title: string | undefined;
  isFolded: boolean;
  /** Something inside keeps the form from being sent. */
  mustShow: boolean;
  children: ReactNode;
}

function Section({ title, isFolded, mustShow, children }: SectionProps) {
  const [wanted, setOpen] = useState(!isFolded);
  const open = wanted || mustShow;
  if (title === undefined) return children;
  return (
    <section className="ac-config__section" aria-label={title}>
      <UnstyledButton className="ac-config__title" aria-expanded={open} onClick={() => setOpen((old) => !old)}>
        <IconChevronRight size={14} aria-hidden />
        {title}
      </UnstyledButton>
      {open ? <div className="ac-config">{children}</div> : null}
    </section>
  );
}
