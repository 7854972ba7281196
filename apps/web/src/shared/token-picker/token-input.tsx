/** A text input that takes tokens: they stand out in the text, and a list of them opens at the caret. */
import { ActionIcon, Input, Textarea, TextInput, Tooltip } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useId, useRef } from "react";
import { useWords } from "../../app/words.ts";
import { MarkedText } from "./marked-text.tsx";
import type { TokenInputProps } from "./token-input-props.ts";
import { useTokenSamples } from "./token-samples.tsx";
import { filledWith, sampleText, unknownTokens, type TokenGroup } from "./token-text.model.ts";
import { useTokenCompletion } from "./use-token-completion.ts";
import "./token-picker.css";

export function TokenInput(props: TokenInputProps) {
  const { tokens } = props;
  return tokens ? <TextWithTokens {...props} tokens={tokens} /> : <PlainText {...props} />;
}

function PlainText(props: TokenInputProps) {
  const { value, onChange, label, shownLabel, multiline = false } = props;
  const shared = {
    value,
    disabled: props.disabled ?? false,
    label: shownLabel,
    description: props.description,
    error: props.error,
    required: props.required ?? false,
    "aria-label": shownLabel === undefined ? label : undefined,
    autoComplete: "off",
    spellCheck: false,
    onBlur: props.onBlur,
  };
  return multiline ? (
    <Textarea {...shared} autosize minRows={2} maxRows={12} onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <TextInput {...shared} inputMode={props.inputMode} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

/** What is wrong, and what the text gives for the record that is tried. */
function useTextNotes({ value, error, hidePreview = false }: TokenInputProps, tokens: readonly TokenGroup[]) {
  const { t } = useWords("builder");
  const samples = useTokenSamples();
  const unknown = unknownTokens(value, tokens);
  const names = unknown.map((token) => `{{${token}}}`).join(", ");
  const filled = samples && !hidePreview ? filledWith(value, samples.sampleOf) : null;
  return {
    problem: error ?? (unknown.length > 0 ? t("token.unknown", { names, count: unknown.length }) : undefined),
    preview: filled === null ? null : filled === "" ? t("token.sampleEmpty") : sampleText(filled, 300),
  };
}

function TextWithTokens(props: TokenInputProps & { tokens: readonly TokenGroup[] }) {
  const { value, tokens, label, shownLabel, description, disabled = false } = props;
  const { t } = useWords("builder");
  const id = useId();
  const own = useRef<HTMLTextAreaElement>(null);
  const input = props.inputRef ?? own;
  const completion = useTokenCompletion({ input, text: value, groups: tokens });
  const { problem, preview } = useTextNotes(props, tokens);
  const described = [description && "description", problem && "error", preview !== null && "preview"].filter(Boolean);
  const describedBy = described.map((part) => `${id}-${part}`).join(" ") || undefined;
  return (
    <Input.Wrapper id={id} label={shownLabel} description={description} error={problem} required={props.required}>
      <div
        className="ac-token-text"
        hidden={props.isHidden}
        data-code={props.isCode || undefined}
        data-error={problem ? true : undefined}
        data-disabled={disabled || undefined}
      >
        <MarkedText
          {...props}
          {...{ id, input, completion, describedBy }}
          isInvalid={problem !== undefined && problem !== null && problem !== ""}
        />
        <Tooltip label={t("token.insertByKey")}>
          <ActionIcon
            size={24}
            disabled={disabled}
            aria-label={`${t("token.insert")}: ${label}`}
            // The caret stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              input.current?.focus();
              if (completion.from === null) completion.openHere();
              else completion.close();
            }}
          >
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {preview === null ? null : (
        <p className="ac-token-text__preview" id={`${id}-preview`}>
          {t("token.gives")} <span>{preview}</span>
        </p>
      )}
    </Input.Wrapper>
  );
}
