import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { PanelLoaded } from "../../browser-contract.js";

export type { PanelLoaded as Loaded } from "../../browser-contract.js";

/** Loads when the component appears and when `key` changes; answers of older keys are dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): PanelLoaded<T> {
  const [state, setState] = useState<Omit<PanelLoaded<T>, "reload">>({
    data: undefined,
    error: null,
    isLoading: true,
  });
  const latest = useRef(0);
  const loader = useRef(load);
  loader.current = load;
  const reload = useCallback(() => {
    const turn = ++latest.current;
    setState((before) => ({ ...before, isLoading: true }));
    loader.current().then(
      (data) => {
        if (turn === latest.current) setState({ data, error: null, isLoading: false });
      },
      (error: unknown) => {
        if (turn !== latest.current) return;
        setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
  }, []);
  useEffect(reload, [key, reload]);
  return { ...state, reload };
}
