/** Which forms on the screen hold something typed that is saved nowhere: nothing of it is lost without a question. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from "react";

/** Whether it has unsaved changes. */
type Form = Readonly<RefObject<boolean>>;

/** Forms that are open. */
export interface OpenForms {
  /** Whether what they are in is open: else they count for nothing. */
  count: (isOpen: boolean) => void;
  register: (form: Form) => () => void;
  hasUnsaved: () => boolean;
}

function openForms(outer?: OpenForms): OpenForms {
  const forms = new Set<Form>();
  let isCounted = true;
  return {
    count(isOpen) {
      isCounted = isOpen;
    },
    register(form) {
      forms.add(form);
      const leaveOuter = outer?.register({
        get current() {
          return isCounted && form.current;
        },
      });
      return () => {
        forms.delete(form);
        leaveOuter?.();
      };
    },
    hasUnsaved: () => isCounted && [...forms].some(({ current }) => current),
  };
}

/** All forms of the screen, those in drawers and dialogs too. */
const screen = openForms();
const Around = createContext(screen);

export const hasUnsavedChanges = (): boolean => screen.hasUnsaved();

/** Milliseconds after which what a save began is drawn: a drawer that closes, a form that shows what was saved. */
const DRAWN = 50;

/** The same for whoever leaves: what is just being saved and closed counts for nothing. */
export async function hasLastingUnsavedChanges(): Promise<boolean> {
  if (!hasUnsavedChanges()) return false;
  await new Promise((resolve) => setTimeout(resolve, DRAWN));
  return hasUnsavedChanges();
}

/**
 * Says of the form that calls it whether something is typed and not saved. While it is, leaving the screen by a link,
 * Back or a reload asks first, and so does closing the drawer or dialog around the form.
 * Whoever goes elsewhere after saving navigates with `ignoreBlocker`, unless the drawer of the form closes with it.
 */
export function useUnsavedChanges(isDirty: boolean): void {
  const forms = useContext(Around);
  const form = useRef(false);
  useEffect(() => forms.register(form), [forms]);
  useEffect(() => {
    form.current = isDirty;
  }, [isDirty]);
}

/** Whether a value (plain data) is another one than when the form was opened. */
export function useIsChanged(value: unknown): boolean {
  const text = JSON.stringify(value);
  const [first] = useState(text);
  return text !== first;
}

/** Of a drawer or dialog: the forms inside, which are asked about by themselves and count for nothing once it is closed. */
export function useFormScope(isOpen: boolean): OpenForms {
  const outer = useContext(Around);
  const [forms] = useState(() => openForms(outer));
  // What it holds stays drawn while it fades out.
  useEffect(() => forms.count(isOpen), [forms, isOpen]);
  return forms;
}

export const FormScope = ({ forms, children }: { forms: OpenForms; children: ReactNode }) => (
  <Around value={forms}>{children}</Around>
);
