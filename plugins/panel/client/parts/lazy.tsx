import type { ComponentType, VNode } from "preact";
import { Failure } from "./failure.js";
import { useLoaded } from "./use-loaded.js";

/** A component whose code is loaded when it is first shown. */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): (props: P) => VNode | null {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P): VNode | null {
    const state = useLoaded("", async () => {
      loaded ??= (await load()).default;
      return loaded;
    });
    const Shown = loaded ?? state.data;
    if (Shown) return <Shown {...props} />;
    return state.error === null ? null : <Failure error={state.error} onRetry={state.reload} />;
  };
}
