import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Failure } from "./failure.js";
import { useLoaded, type Loaded } from "./use-loaded.js";

/** Time between two attempts, in ms. */
const RETRY_MS = 3_000;

/** A component that loads its code when it is first shown, or before. */
export interface LazyComponent<P> {
  (props: P): VNode | null;
  /** Loads the code before it is shown; a failure appears when it is. */
  preload(): void;
}

/** A component whose code is loaded when it is needed, again and again while the connection is lost. */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const once = async (): Promise<ComponentType<P>> => (loaded ??= (await load()).default);
  function Lazy(props: P): VNode | null {
    const state = useLoaded("", once);
    useRetry(state);
    const Shown = loaded ?? state.data;
    if (Shown) return <Shown {...props} />;
    return state.error === null ? null : <Failure error={state.error} onRetry={state.reload} />;
  }
  const preload = (): void => void once().catch(() => undefined);
  return Object.assign(Lazy, { preload });
}

function useRetry({ error, reload }: Loaded<unknown>): void {
  useEffect(() => {
    if (error === null) return;
    const timer = setTimeout(reload, RETRY_MS);
    addEventListener("online", reload);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", reload);
    };
  }, [error, reload]);
}
