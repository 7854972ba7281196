/** A small button that lists tokens by group and gives back the one chosen. Where tokens come from is the caller's. */
import { ActionIcon, Popover, ScrollArea, TextInput, Tooltip, UnstyledButton } from "@mantine/core";
import { IconBraces, IconSearch } from "@tabler/icons-react";
import { useState, type KeyboardEvent } from "react";
import { useWords } from "../../app/words.ts";
import "./token-picker.css";

export interface PickableToken {
  token: string;
  label: string;
  shortLabel: string;
  group: string;
  datatype: string;
  /** What is put into the text: `{{…}}`. */
  value: string;
}

export interface TokenGroup {
  group: string;
  tokens: readonly PickableToken[];
}

export interface TokenPickerProps {
  groups: readonly TokenGroup[];
  onPick: (token: PickableToken) => void;
  disabled?: boolean;
  /** Of the input it serves, for its name. */
  label: string;
}

/** Arrow keys move between the listed tokens. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, .ac-tokens__token")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

export function TokenPicker({ groups, onPick, disabled = false, label }: TokenPickerProps) {
  const { t } = useWords("builder");
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = groups
    .map(({ group, tokens }) => ({
      group,
      tokens: tokens.filter((token) => `${token.label} ${token.token}`.toLowerCase().includes(wanted)),
    }))
    .filter(({ tokens }) => tokens.length > 0);
  const pick = (token: PickableToken) => {
    setOpened(false);
    onPick(token);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      onClose={() => setText("")}
    >
      <Popover.Target>
        <Tooltip label={t("token.insert")}>
          <ActionIcon
            size={24}
            disabled={disabled}
            aria-label={`${t("token.insert")}: ${label}`}
            onClick={() => setOpened((old) => !old)}
          >
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <div className="ac-tokens" onKeyDown={moveFocus} role="presentation">
          <TextInput
            size="xs"
            value={text}
            data-autofocus
            aria-label={t("token.search")}
            placeholder={t("token.search")}
            leftSection={<IconSearch size={14} />}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <ScrollArea.Autosize mah={280} type="auto">
            {found.map(({ group, tokens }) => (
              <section key={group} aria-label={group}>
                <h4>{group}</h4>
                {tokens.map((token) => (
                  <UnstyledButton key={token.token} className="ac-tokens__token" onClick={() => pick(token)}>
                    <span>{token.shortLabel}</span>
                    <code>{token.token}</code>
                  </UnstyledButton>
                ))}
              </section>
            ))}
            {found.length === 0 ? <p>{t(groups.length === 0 ? "token.noneYet" : "token.none")}</p> : null}
          </ScrollArea.Autosize>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
