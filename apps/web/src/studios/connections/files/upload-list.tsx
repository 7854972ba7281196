/** Uploads under way: progress, cancel, and what failed with another try. */
import { ErrorBox, ProgressBar } from "@accord/ui";
import { Button } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { sizeOf } from "../../../shared/byte-size.ts";
import type { Uploads } from "./use-uploads.ts";

export function UploadList({ uploads }: { uploads: Uploads }) {
  const { t } = useWords("connectorFiles");
  if (uploads.list.length === 0) return null;
  return (
    <ul className="ac-uploads" aria-label={t("upload.list")}>
      {uploads.list.map(({ key, file: { name, size }, sent, problem }) => {
        const facts = { name, sent: sizeOf(sent), size: sizeOf(size) };
        const cancel = (
          <Button
            size="xs"
            variant="default"
            aria-label={t("action.cancelOf", { name })}
            onClick={() => uploads.cancel(key)}
          >
            {t("action.cancel")}
          </Button>
        );
        return (
          <li key={key}>
            {problem === null ? (
              <>
                <ProgressBar
                  label={name}
                  percent={size === 0 ? 0 : (sent / size) * 100}
                  note={t("upload.sending", facts)}
                />
                {cancel}
              </>
            ) : (
              <ErrorBox
                message={t("upload.failed", { ...facts, reason: problem })}
                actions={
                  <>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={t("action.retryOf", { name })}
                      onClick={() => uploads.retry(key)}
                    >
                      {t("action.retry")}
                    </Button>
                    {cancel}
                  </>
                }
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
