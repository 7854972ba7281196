/** Moves the focus to what a change brings, in the same turn as the change is shown: keys pressed next belong to it. */
import { useCallback, useLayoutEffect, useRef } from "react";

type Find = () => HTMLElement | null | undefined;

/** Of the component that shows the change. What `find` answers after its next rendering gets the focus. */
export function useFocusOnceShown(): (find: Find) => void {
  const wanted = useRef<Find>(undefined);
  // A timer or a frame would come too late: the browser passes keys on before them.
  useLayoutEffect(() => {
    const find = wanted.current;
    wanted.current = undefined;
    find?.()?.focus();
  });
  return useCallback((find) => {
    wanted.current = find;
  }, []);
}
