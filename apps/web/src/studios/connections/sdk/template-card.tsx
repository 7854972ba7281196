/** Where somebody begins who never wrote a synapse: the template to download, and the guide to read. */
import { Card, FormIntro, FormSkeleton } from "@accord/ui";
import { Button, Code, Modal } from "@mantine/core";
import { IconBook, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { GuideText } from "./guide-text.tsx";
import { templateAddress, useTemplate } from "./sdk-queries.ts";

export function TemplateCard() {
  const { t } = useWords("sdkSynapses");
  return (
    <Card title={t("start.title")} className="ac-trial">
      <FormIntro>{t("start.body")}</FormIntro>
      <TemplateButtons />
    </Card>
  );
}

export function TemplateButtons() {
  const { t } = useWords("sdkSynapses");
  const [isReading, setReading] = useState(false);
  return (
    <div className="ac-sdk__row">
      <Button
        component="a"
        href={templateAddress()}
        download
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden />}
      >
        {t("start.download")}
      </Button>
      <Button variant="subtle" leftSection={<IconBook size={15} aria-hidden />} onClick={() => setReading(true)}>
        {t("start.guide")}
      </Button>
      <Modal opened={isReading} onClose={() => setReading(false)} title={t("start.guideTitle")} size={860}>
        {isReading ? <Guide /> : null}
      </Modal>
    </div>
  );
}

function Guide() {
  const template = useTemplate();
  return (
    <QueryView query={template} skeleton={<FormSkeleton fields={4} />}>
      {({ guide, files }) => (
        <>
          <GuideText text={guide} />
          {files.map(({ fileName, text }) => (
            <details key={fileName} className="ac-exchange">
              <summary>
                <code>{fileName}</code>
              </summary>
              <Code block tabIndex={0} aria-label={fileName} className="ac-sdk__log">
                {text}
              </Code>
            </details>
          ))}
        </>
      )}
    </QueryView>
  );
}
