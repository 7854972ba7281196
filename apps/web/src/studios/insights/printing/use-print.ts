/** Prints the screen once all that it shows has been read. */
import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** `isWaiting`: printing was asked for, and something is still being read. */
export function usePrint(): { print: () => void; isWaiting: boolean } {
  const isReading = useIsFetching() > 0;
  const [isWanted, setWanted] = useState(false);
  const isDue = isWanted && !isReading;
  useEffect(() => {
    if (!isDue) return;
    // Two frames later the last answer is drawn.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        setWanted(false);
        window.print();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [isDue]);
  return { print: () => setWanted(true), isWaiting: isWanted };
}
