/** An id, request number or address in mono type, copied with one press. */
import { Tooltip, UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useUiWords } from "../ui-words.ts";
import "./copyable-id.css";

export interface CopyableIdProps {
  id: string;
  /** Word before the id: "Request". */
  label?: string;
  /** Show only the first characters. */
  shortenTo?: number;
}

export function CopyableId({ id, label, shortenTo }: CopyableIdProps) {
  const clipboard = useClipboard({ timeout: 1_600 });
  const words = useUiWords();
  const shown = shortenTo !== undefined && id.length > shortenTo ? `${id.slice(0, shortenTo)}…` : id;
  return (
    <Tooltip label={clipboard.error ? words.notCopied : clipboard.copied ? words.copied : words.copy}>
      <UnstyledButton
        className="ac-copyable-id"
        onClick={() => clipboard.copy(id)}
        aria-label={`${label ?? ""} ${id}: ${words.copy}`.trim()}
      >
        {label ? <span className="ac-copyable-id__label">{label}</span> : null}
        {/* Between them in what is read out, too, as in the name. */ label ? " " : null}
        <code>{shown}</code>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </UnstyledButton>
    </Tooltip>
  );
}
