/** Outlines in the final shape, shown only when loading takes longer than 150 ms. */
import type { CSSProperties, ReactNode } from "react";
import { useUiWords } from "../ui-words.ts";
import "./skeletons.css";

/** Fades its outline in after 150 ms, so that fast replies never flash. */
export function Skeletons({ children, label }: { children: ReactNode; label?: string }) {
  const words = useUiWords();
  return (
    <div className="ac-skeletons" role="status" aria-label={label ?? words.loading}>
      {children}
    </div>
  );
}

export function SkeletonBlock({
  width = "100%",
  height = 12,
  round = false,
}: {
  width?: number | string;
  height?: number;
  round?: boolean;
}) {
  const style: CSSProperties = { width, height, ...(round ? { borderRadius: 999 } : {}) };
  return <span className="ac-bone" style={style} aria-hidden />;
}

export function TableSkeleton({ rows = 8, columns = 5 }: { rows?: number; columns?: number }) {
  return (
    <Skeletons>
      <div className="ac-skeletons__table">
        {Array.from({ length: rows + 1 }, (_, row) => (
          <div key={row} className="ac-skeletons__row">
            {Array.from({ length: columns }, (_, column) => (
              <SkeletonBlock
                key={column}
                width={row === 0 ? 64 : `${40 + ((row * 37 + column * 53) % 50)}%`}
                height={row === 0 ? 10 : 12}
              />
            ))}
          </div>
        ))}
      </div>
    </Skeletons>
  );
}

export function CardSkeleton({ height = 120 }: { height?: number }) {
  return (
    <Skeletons>
      <div className="ac-skeletons__card" style={{ height }}>
        <SkeletonBlock width={120} />
        <SkeletonBlock width="100%" height={Math.max(20, height - 64)} />
      </div>
    </Skeletons>
  );
}

export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <Skeletons>
      <div className="ac-skeletons__form">
        {Array.from({ length: fields }, (_, field) => (
          <div key={field} className="ac-skeletons__field">
            <SkeletonBlock width={90 + ((field * 31) % 60)} height={10} />
            <SkeletonBlock height={30} />
          </div>
        ))}
      </div>
    </Skeletons>
  );
}

export function PageSkeleton({ label }: { label?: string }) {
  return (
    <div className="ac-page">
      <Skeletons {...(label ? { label } : {})}>
        <div className="ac-skeletons__page">
          <SkeletonBlock width={220} height={20} />
          <SkeletonBlock width={320} height={10} />
        </div>
      </Skeletons>
      <TableSkeleton />
    </div>
  );
}
