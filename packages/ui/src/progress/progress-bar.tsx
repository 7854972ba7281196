/** Progress of a job, clamped to 0–100, with its words. */
import { Progress } from "@mantine/core";
import "./progress-bar.css";

export const clampPercent = (value: number): number => (Number.isFinite(value) ? Math.min(100, Math.max(0, value)) : 0);

export interface ProgressBarProps {
  /** 0–100; absent while unknown. */
  percent?: number | undefined;
  label: string;
  /** Right of the label: "12,400 of 20,000". */
  note?: string;
  tone?: "brand" | "ember" | "ok" | "error";
}

export function ProgressBar({ percent, label, note, tone = "brand" }: ProgressBarProps) {
  const known = percent !== undefined;
  return (
    <div className="ac-progress">
      <div className="ac-progress__words">
        <span>{label}</span>
        <span className="ac-progress__note">{note ?? (known ? `${Math.round(clampPercent(percent))}%` : "")}</span>
      </div>
      <Progress
        size={6}
        radius="xl"
        color={tone}
        value={known ? clampPercent(percent) : 100}
        animated={!known}
        striped={!known}
        aria-label={label}
      />
    </div>
  );
}
