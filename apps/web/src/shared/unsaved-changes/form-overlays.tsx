/** Drawers and dialogs with a form: Esc, a click beside them and their cross ask first where something is typed. */
import { Drawer, type DrawerProps, Modal, type ModalProps } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../app/words.ts";
import { FormScope, useFormScope, useUnsavedChanges } from "./unsaved-changes.tsx";
import { ConfirmDialog } from "../refusal/confirm-dialog.tsx";

interface OwnForm {
  /** Of a form in the same component; forms in components of their own call `useUnsavedChanges`. */
  isDirty?: boolean;
}

export function FormDrawer({ isDirty = false, ...props }: DrawerProps & OwnForm) {
  const { close, forms, question, isAsking } = useClosing(isDirty && props.opened, props);
  return (
    <>
      <Drawer {...props} onClose={close} closeOnEscape={!isAsking}>
        <FormScope forms={forms}>{props.children}</FormScope>
      </Drawer>
      {question}
    </>
  );
}

export function FormDialog({ isDirty = false, ...props }: ModalProps & OwnForm) {
  const { close, forms, question, isAsking } = useClosing(isDirty && props.opened, props);
  return (
    <>
      <Modal {...props} onClose={close} closeOnEscape={!isAsking}>
        <FormScope forms={forms}>{props.children}</FormScope>
      </Modal>
      {question}
    </>
  );
}

function useClosing(isDirty: boolean, { opened, onClose }: { opened: boolean; onClose: () => void }) {
  useUnsavedChanges(isDirty);
  const { t } = useWords("shell");
  const forms = useFormScope(opened);
  const [isAsking, setAsking] = useState(false);
  // Mounted with the question: one that is there before takes the Esc that asks it for its own.
  const question = isAsking ? (
    <ConfirmDialog
      opened
      onClose={() => setAsking(false)}
      title={t("state.discardTitle")}
      action={t("state.discard")}
      onConfirm={() => {
        setAsking(false);
        onClose();
      }}
    >
      <p>{t("state.discardBody")}</p>
    </ConfirmDialog>
  ) : null;
  return { close: () => (isDirty || forms.hasUnsaved() ? setAsking(true) : onClose()), forms, question, isAsking };
}
