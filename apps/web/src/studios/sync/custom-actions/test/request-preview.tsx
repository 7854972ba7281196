/** A request as it is sent: method, address, headers, body. */
import { Field } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";

interface ShownRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export function RequestPreview({ request, isMasked }: { request: ShownRequest; isMasked: boolean }) {
  const { t } = useWords("customActions");
  return (
    <Field label={t("test.preview")} help={isMasked ? t("test.previewMasked") : undefined}>
      {({ id }) => <RequestText id={id} label={t("test.preview")} request={request} />}
    </Field>
  );
}

/** Focusable, so that it can be scrolled with the keyboard. */
export function RequestText({ id, label, request }: { id?: string; label: string; request: ShownRequest }) {
  const { t } = useWords("customActions");
  return (
    <div id={id} className="ac-action-raw" role="region" aria-label={label} tabIndex={0}>
      <b>{request.method}</b> {request.url}
      {Object.entries(request.headers).map(([name, value]) => (
        <div key={name}>
          <b>{name}:</b> {value}
        </div>
      ))}
      <div className="ac-action-raw__body">{request.body ?? <i>{t("test.noBody")}</i>}</div>
    </div>
  );
}
