import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { toSentence } from "#lib/text";
import type { PanelLoaded } from "../../browser-contract.js";
import { ApiError, OfflineError } from "../api/request.js";
import { t } from "../app/texts.js";
import { keepKeys, type EarlyKeys } from "./early-keys.js";

interface LoadingProps<T> {
  of: PanelLoaded<T>;
  children(data: T): ComponentChildren;
}

/** Shows loaded data, the wait before it, or the failure with a second try. */
export function Loading<T>({ of, children }: LoadingProps<T>): VNode {
  if (of.data !== undefined) {
    return (
      <>
        {of.error !== null && <Failure error={of.error} onRetry={of.reload} />}
        {children(of.data)}
      </>
    );
  }
  if (of.error !== null) return <Failure error={of.error} onRetry={of.reload} />;
  return (
    <p class="waiting" role="status">
      {t("loading")}
    </p>
  );
}

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

/** A lazy dialog: what is typed before its code is loaded is typed in its first field, and Escape closes it. */
export function lazyDialog<P extends { onClose(): void }>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyComponent<P> {
  let isLoaded = false;
  let keys: EarlyKeys | null = null;
  const Lazy = lazy<P>(async () => {
    const { default: Loaded } = await load();
    isLoaded = true;
    // The dialog returns the focus to where it is when it opens.
    keys?.release();
    function Opened(props: P): VNode {
      useLayoutEffect(() => {
        keys?.deliver();
        keys = null;
      }, []);
      return <Loaded {...props} />;
    }
    return { default: Opened };
  });
  function LazyDialog(props: P): VNode {
    useLayoutEffect(() => {
      if (isLoaded) return;
      keys = keepKeys(() => props.onClose());
      return () => {
        keys?.release();
        keys = null;
      };
    }, []);
    return <Lazy {...props} />;
  }
  return Object.assign(LazyDialog, { preload: Lazy.preload });
}

function useRetry({ error, reload }: PanelLoaded<unknown>): void {
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

interface FailureProps {
  error: unknown;
  /** Absent: there is no button to try again. */
  onRetry?: () => void;
}

/** A failed call: the server's reason, and each wrong field. */
export function Failure({ error, onRetry }: FailureProps): VNode {
  return (
    <div class="notice bad" role="alert">
      <p>{toReason(error)}</p>
      {fieldErrors(error).length > 0 && (
        <ul>
          {fieldErrors(error).map(({ field, message }) => (
            <li key={field}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

/** The text of a failure. */
export function toReason(error: unknown): string {
  if (error instanceof OfflineError) return t("offline");
  return toSentence(error instanceof Error ? error.message : String(error));
}

/** Returns what the server rejected, by field. */
export function fieldErrors(error: unknown): { field: string; message: string }[] {
  const list = error instanceof ApiError ? error.body["validationErrors"] : null;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null) return [];
    const { field = "", message = "" }: { field?: string; message?: string } = one;
    return [{ field, message }];
  });
}
