/** Asks before what can't be undone. The button names the action; the gravest ask to type the object's name. */
import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ErrorBox } from "../error-box/error-box.tsx";
import { useUiWords } from "../ui-words.ts";
import "./confirm-dialog.css";

export interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The question: "Delete the pipeline of Account?" */
  title: string;
  /** What will be lost and what stays. */
  children: ReactNode;
  /** Names the action: "Delete pipeline". */
  action: string;
  danger?: boolean;
  /** The button stays off until this name is typed. */
  typeName?: string;
  /** Extra choices as boxes, given back to `onConfirm`. */
  choices?: readonly { id: string; label: string; initially?: boolean }[];
  /** Shown busy and kept open while this is running; a throw stays in the dialog as its words. */
  onConfirm: (choices: ReadonlySet<string>) => unknown;
  wordsOf?: (error: unknown) => string;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={440}>
      {props.opened ? <ConfirmForm {...props} /> : null}
    </Modal>
  );
}

const plainWords = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function ConfirmForm({
  onClose,
  children,
  action,
  danger = true,
  typeName,
  choices = [],
  onConfirm,
  wordsOf = plainWords,
}: ConfirmDialogProps) {
  const words = useUiWords();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState(() => new Set(choices.filter((choice) => choice.initially).map(({ id }) => id)));

  const confirm = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm(chosen);
      onClose();
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const mayConfirm = typeName === undefined || typed.trim() === typeName;

  return (
    <form
      className="ac-confirm"
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog asked from inside a form is its child for events, though not on the page: that form isn't sent.
        event.stopPropagation();
        if (mayConfirm) void confirm();
      }}
    >
      <div className="ac-confirm__body">{children}</div>
      {choices.map((choice) => (
        <Checkbox
          key={choice.id}
          label={choice.label}
          checked={chosen.has(choice.id)}
          onChange={(event) => {
            const next = new Set(chosen);
            if (event.currentTarget.checked) next.add(choice.id);
            else next.delete(choice.id);
            setChosen(next);
          }}
        />
      ))}
      {typeName === undefined ? null : (
        <TextInput
          data-autofocus
          autoComplete="off"
          label={words.typeNameToConfirm.replace("{{name}}", typeName)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {problem ? <ErrorBox message={problem} /> : null}
      <div className="ac-confirm__buttons">
        <Button
          variant="default"
          onClick={onClose}
          disabled={busy}
          {...(typeName === undefined ? { "data-autofocus": true } : {})}
        >
          {words.cancel}
        </Button>
        <Button type="submit" color={danger ? "error" : "brand"} loading={busy} disabled={!mayConfirm}>
          {action}
        </Button>
      </div>
    </form>
  );
}
