/** Code in a generated form: an editor that is loaded with its first use, and its text until then. */
import { Input } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import type { Labelled } from "../input-props.ts";
import "./code-input.css";

const JavascriptEditor = lazy(async () => ({
  default: (await import("../../code-editor/javascript-editor.tsx")).JavascriptEditor,
}));

interface CodeInputProps {
  labelled: Labelled;
  value: string;
  onChange: (value: string) => void;
}

export function CodeInput({ labelled, value, onChange }: CodeInputProps) {
  const { label, description, error, required, disabled, onBlur } = labelled;
  const id = useId();
  const ids = { description: `${id}-description`, error: `${id}-error` };
  const isInvalid = error !== undefined && error !== "";
  return (
    <Input.Wrapper
      {...{ label, description, error, required }}
      labelElement="div"
      descriptionProps={{ id: ids.description }}
      errorProps={{ id: ids.error }}
    >
      <Suspense fallback={<pre className="ac-javascript">{value}</pre>}>
        <JavascriptEditor
          {...{ value, label, onChange, onBlur }}
          readOnly={disabled}
          isInvalid={isInvalid}
          describedBy={[...(description ? [ids.description] : []), ...(isInvalid ? [ids.error] : [])].join(" ")}
        />
      </Suspense>
    </Input.Wrapper>
  );
}
