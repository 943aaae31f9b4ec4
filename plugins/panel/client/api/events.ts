/** One stream of events tells all screens what happens on the site while the panel is open. */
import { useEffect, useRef } from "preact/hooks";
import type { PresentPerson as Person } from "../../../admin/contract.js";
import { call } from "./request.js";
import { boot } from "../boot.js";

export type { PresentPerson as Person } from "../../../admin/contract.js";

/** Something that happened to a page. */
export interface PageEvent {
  readonly kind: "saved" | "published" | "deleted";
  readonly path: string;
  readonly title: string;
  readonly etag: string | null;
  /** Null: the file was changed on the disk. */
  readonly by: Person | null;
}
/** The events that a screen handles. */
export interface EventListeners {
  onPage?(event: PageEvent): void;
  /** Receives the people who have a page open. */
  onPresence?(path: string, people: readonly Person[]): void;
  /** Events may have been missed: everything is to be loaded again. */
  onReset?(): void;
}

const KINDS = ["saved", "published", "deleted"] as const;
const RETRY_MS = 10_000;
const listeners = new Set<EventListeners>();
let stream: EventSource | null = null;
let timer = 0;
// Place in the change feed of the last event that was received.
let last = boot.cursor;

/** Calls the listeners until the function returned is called. */
export function listen(one: EventListeners): () => void {
  listeners.add(one);
  if (listeners.size === 1) document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    listeners.delete(one);
    if (listeners.size === 0) document.removeEventListener("visibilitychange", follow);
    follow();
  };
}

/** Says which page is open; returns who else has it open. Repeated within a minute. */
export async function sendPresence(path: string | null): Promise<readonly Person[]> {
  const input = { body: { path }, keepalive: true, isBackground: true };
  return (await call("POST /events/presence", input)).people;
}

/** Browsers open few connections to a server: hidden windows give theirs back. */
function follow(): void {
  const isWanted = listeners.size > 0 && document.visibilityState === "visible";
  if (isWanted && stream === null) open();
  else if (!isWanted && stream !== null) close();
}

/** Begins where the last event left off: nothing is missed between two streams, or before the first. */
function open(): void {
  clearTimeout(timer);
  const source = new EventSource(`${boot.path}/api/events?since=${encodeURIComponent(last)}`);
  stream = source;
  const on = (name: string, take: (data: string) => void): void => {
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== "") last = lastEventId;
      take(data);
    });
  };
  for (const kind of KINDS) {
    on(kind, (data) => {
      const event: PageEvent = { ...JSON.parse(data), kind };
      for (const one of listeners) one.onPage?.(event);
    });
  }
  on("presence", (data) => {
    const { path, people }: { path: string; people: readonly Person[] } = JSON.parse(data);
    for (const one of listeners) one.onPresence?.(path, people);
  });
  on("reset", () => {
    for (const one of listeners) one.onReset?.();
  });
  source.addEventListener("error", () => {
    // The browser connects again by itself, unless the server refused.
    if (source.readyState !== EventSource.CLOSED || stream !== source) return;
    close();
    timer = window.setTimeout(follow, RETRY_MS);
  });
}

function close(): void {
  clearTimeout(timer);
  stream?.close();
  stream = null;
}

/** Several changes at once, as after a Git pull, load a list once. */
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
