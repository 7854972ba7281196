/** Asks before what can't be undone. The button names the action; the gravest ask to type the object's name. */
import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
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
  /** Shown busy and kept open while this is running, unless leaving takes it back; a throw stays in the dialog. */
  onConfirm: (choices: ReadonlySet<string>) => unknown;
  /** It can be closed while `onConfirm` runs, which then does nothing. */
  leavingTakesBack?: boolean;
  /** Shows what `onConfirm` threw; its message alone when absent. */
  showError?: (error: unknown) => ReactNode;
  /** Takes what `onConfirm` threw after the dialog had gone: it has no room of its own any more. */
  onLateError?: (error: unknown) => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const isRunningRef = useRef(false);
  const closingsRef = useRef(0);
  useEffect(() => {
    if (!props.opened) closingsRef.current++;
  }, [props.opened]);
  return (
    <Modal
      opened={props.opened}
      onClose={() => {
        if (!isRunningRef.current || props.leavingTakesBack) props.onClose();
      }}
      title={props.title}
      size={440}
    >
      {props.opened ? <ConfirmForm {...props} isRunningRef={isRunningRef} closingsRef={closingsRef} /> : null}
    </Modal>
  );
}

const showMessage = (error: unknown): ReactNode => (
  <ErrorBox message={error instanceof Error ? error.message : String(error)} />
);

interface Running {
  /** Whether a confirmation is under way: until it ends the dialog is not closed by hand. */
  isRunningRef: RefObject<boolean>;
  /** How often the dialog has been closed. */
  closingsRef: RefObject<number>;
}

/** Runs what was confirmed. What ends after its dialog was closed closes none that was opened since. */
function useConfirmation({
  onConfirm,
  onClose,
  onLateError,
  isRunningRef,
  closingsRef,
}: Pick<ConfirmDialogProps, "onConfirm" | "onClose" | "onLateError"> & Running) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ error: unknown }>();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      isRunningRef.current = false;
    };
  }, [isRunningRef]);
  const confirm = async (chosen: ReadonlySet<string>): Promise<void> => {
    if (isRunningRef.current) return;
    const before = closingsRef.current;
    isRunningRef.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm(chosen);
      if (closingsRef.current === before) onClose();
    } catch (error) {
      if (isShown.current) setProblem({ error });
      else onLateError?.(error);
    } finally {
      if (isShown.current) {
        isRunningRef.current = false;
        setBusy(false);
      }
    }
  };
  return { busy, problem, confirm };
}

function ConfirmForm({
  onClose,
  children,
  action,
  danger = true,
  typeName,
  choices = [],
  onConfirm,
  showError = showMessage,
  onLateError,
  isRunningRef,
  closingsRef,
}: ConfirmDialogProps & Running) {
  const words = useUiWords();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(() => new Set(choices.filter((choice) => choice.initially).map(({ id }) => id)));
  const { busy, problem, confirm } = useConfirmation({
    onConfirm,
    onClose,
    isRunningRef,
    closingsRef,
    ...(onLateError ? { onLateError } : {}),
  });
  const mayConfirm = typeName === undefined || typed.trim() === typeName;

  return (
    <form
      className="ac-confirm"
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog asked from inside a form is its child for events, though not on the page: that form isn't sent.
        event.stopPropagation();
        if (mayConfirm) void confirm(chosen);
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
      {problem ? showError(problem.error) : null}
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
