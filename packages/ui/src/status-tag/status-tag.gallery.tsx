/** Every tone of tags and counts. */
import { CountBadge, StatusTag, type Tone } from "./status-tag.tsx";

const TONES: Tone[] = ["ok", "warn", "error", "info", "idle", "ember", "brand"];
const row = { display: "flex", flexWrap: "wrap", gap: 8 } as const;

export const Tags = () => (
  <div style={row}>
    {TONES.map((tone) => (
      <StatusTag key={tone} tone={tone}>
        {tone}
      </StatusTag>
    ))}
  </div>
);

export const BusyAndPlain = () => (
  <div style={row}>
    <StatusTag tone="ok" busy>
      Running
    </StatusTag>
    <StatusTag tone="error" plain>
      Not delivered
    </StatusTag>
  </div>
);

export const Counts = () => (
  <div style={row}>
    {TONES.map((tone, index) => (
      <CountBadge key={tone} tone={tone} count={index * 240} label={tone} />
    ))}
  </div>
);
