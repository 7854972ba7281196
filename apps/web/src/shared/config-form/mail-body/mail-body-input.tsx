/** The body of a mail: text with tokens and simple markup, and how it reads for the record that is tried. */
import { decodeBody, encodeBody, withoutScripts } from "@accord/contracts/sync/mail-body";
import { ActionIcon, SegmentedControl, Tooltip } from "@mantine/core";
import { IconBold, IconHeading, IconItalic, IconLink, IconList } from "@tabler/icons-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { useWords } from "../../../app/words.ts";
import { replaceText } from "../../token-picker/replace-text.ts";
import { TokenInput } from "../../token-picker/token-input.tsx";
import type { TokenGroup } from "../../token-picker/token-text.model.ts";
import type { Labelled } from "../input-props.ts";
import { marked, MARKUPS, type Markup } from "./mail-markup.model.ts";
import { MailPreview } from "./mail-preview.tsx";
import "./mail-body.css";

const ICONS = { bold: IconBold, italic: IconItalic, heading: IconHeading, link: IconLink, list: IconList } as const;
const KEYS: ReadonlyMap<string, Markup> = new Map([
  ["b", "bold"],
  ["i", "italic"],
]);

interface MailBodyInputProps {
  labelled: Labelled;
  /** As stored. */
  value: string;
  isFormatted: boolean;
  tokens: readonly TokenGroup[] | undefined;
  onChange: (value: string) => void;
}

export function MailBodyInput({ labelled, value, isFormatted, tokens, onChange }: MailBodyInputProps) {
  const { t } = useWords("builder");
  const [view, setView] = useState<"write" | "preview">("write");
  const input = useRef<HTMLTextAreaElement>(null);
  const text = decodeBody(value);
  const { label, ...rest } = labelled;
  const store = (next: string) => onChange(encodeBody(isFormatted ? withoutScripts(next) : next));
  const apply = (markup: Markup) => {
    const { selectionStart: from, selectionEnd: to } = input.current ?? { selectionStart: 0, selectionEnd: 0 };
    const next = marked({ text, from, to }, markup);
    if (input.current) replaceText(input.current, next.text, next);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const markup = event.ctrlKey || event.metaKey ? KEYS.get(event.key.toLowerCase()) : undefined;
    if (!markup || !isFormatted || event.altKey || event.shiftKey) return false;
    apply(markup);
    return true;
  };
  return (
    <div className="ac-mail">
      <div className="ac-mail__bar">
        {view === "write" && isFormatted && !labelled.disabled ? (
          <div role="toolbar" aria-label={`${label}: ${t("mail.markup")}`} className="ac-mail__markup">
            {MARKUPS.map((markup) => {
              const Icon = ICONS[markup];
              return (
                <Tooltip key={markup} label={t(`mail.${markup}`)}>
                  <ActionIcon
                    size={24}
                    aria-label={t(`mail.${markup}`)}
                    // What is selected stays so.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => apply(markup)}
                  >
                    <Icon size={15} />
                  </ActionIcon>
                </Tooltip>
              );
            })}
          </div>
        ) : null}
        <SegmentedControl
          aria-label={t("mail.view")}
          value={view}
          data={[
            { value: "write", label: t("mail.write") },
            { value: "preview", label: t("mail.preview") },
          ]}
          onChange={(next) => setView(next === "preview" ? "preview" : "write")}
        />
      </div>
      <TokenInput
        {...rest}
        label={label}
        shownLabel={label}
        multiline
        minRows={8}
        hidePreview
        isHidden={view !== "write"}
        inputRef={input}
        value={text}
        tokens={tokens}
        onKey={onKey}
        onChange={store}
      />
      {view === "preview" ? <MailPreview text={text} isFormatted={isFormatted} /> : null}
    </div>
  );
}
