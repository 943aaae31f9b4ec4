import { useEffect, useRef } from "preact/hooks";
import { listen } from "../api/system/events.js";

/** Several changes at once, as of a Git pull, load a list once. */
const WAIT_MS = 400;

/** Calls `reload` when pages were changed by anybody. */
export function usePageEvents(reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    let timer = 0;
    const later = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => latest.current(), WAIT_MS);
    };
    const stop = listen({ onPage: later, onReset: later });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
