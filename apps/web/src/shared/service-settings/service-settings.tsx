/** The frame of the dialogs that set a service of the instance up: what is stored, refusals, and the foot. */
import { listServiceProviders, type ServiceProvider } from "@accord/contracts/sync/providers";
import { FormSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useEndpoint } from "../../app/queries.ts";
import { QueryView } from "../query-view.tsx";
import { RefusalBox } from "../refusal/refusal-box.tsx";
import { FormDialog } from "../unsaved-changes/form-overlays.tsx";
import type { useService } from "./use-service.ts";

interface DialogProps {
  service: ServiceProvider["service"];
  title: string;
  onClose: () => void;
  /** The form, with what is stored. */
  children: (stored: ServiceProvider | undefined) => ReactNode;
}

export function ServiceDialog({ service, title, onClose, children }: DialogProps) {
  const query = useEndpoint(listServiceProviders, {}, { refetchOnWindowFocus: false });
  return (
    <FormDialog opened onClose={onClose} title={title}>
      <QueryView query={query} skeleton={<FormSkeleton />}>
        {({ providers }) => children(providers.find((one) => one.service === service))}
      </QueryView>
    </FormDialog>
  );
}

interface FormProps {
  calls: Pick<ReturnType<typeof useService>, "error" | "problemAt">;
  /** Fields that show their own refusals. */
  paths: readonly string[];
  /** Stands above a refusal. */
  intro?: ReactNode;
  children: ReactNode;
  /** Stands before Cancel. */
  extra?: ReactNode;
  words: { cancel: string; save: string };
  isSaving: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

export function ServiceForm({ calls, paths, intro, children, extra, words, isSaving, onSubmit, onClose }: FormProps) {
  const { error, problemAt } = calls;
  return (
    <form
      className="ac-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {intro}
      {error && !paths.some((path) => problemAt(path)) ? <RefusalBox error={error} /> : null}
      {children}
      <div className="ac-form__foot">
        {extra}
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={isSaving}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
