/** Failures and notes in place, in every tone. */
import { ErrorBox } from "./error-box.tsx";

export const Failure = () => (
  <ErrorBox
    title="The connection could not be opened"
    message="db.example.com did not answer within 10 seconds. Check the host and the firewall."
    requestId="1a1fde30782fe9d198189760"
    requestLabel="Request"
    onRetry={() => {}}
  />
);

export const Tones = () => (
  <div style={{ display: "grid", gap: 8 }}>
    <ErrorBox tone="warn" message="This pipeline is paused; nothing is read meanwhile." />
    <ErrorBox tone="info" message="A newer version was published by Mika Ito." />
    <ErrorBox tone="ok" message="The connection works: 14 tables found." />
  </div>
);
