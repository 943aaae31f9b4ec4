import type { ComponentType, VNode } from "preact";
import { Failure } from "./failure.js";
import { useLoaded } from "./use-loaded.js";

/** A component that loads its code when it is first shown, or before. */
export interface LazyComponent<P> {
  (props: P): VNode | null;
  /** Loads the code before it is shown; a failure appears when it is. */
  preload(): void;
}

/** A component whose code is loaded when it is needed. */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const once = async (): Promise<ComponentType<P>> => (loaded ??= (await load()).default);
  function Lazy(props: P): VNode | null {
    const state = useLoaded("", once);
    const Shown = loaded ?? state.data;
    if (Shown) return <Shown {...props} />;
    return state.error === null ? null : <Failure error={state.error} onRetry={state.reload} />;
  }
  const preload = (): void => void once().catch(() => undefined);
  return Object.assign(Lazy, { preload });
}
