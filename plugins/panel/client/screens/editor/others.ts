import { signal, type ReadonlySignal } from "@preact/signals";
import { listen, sendPresence, type PageEvent, type Person } from "../../api/events.js";
import { session as account } from "../../api/session.js";
import type { EditSession } from "./edit-session.js";
import { reload } from "./page-actions.js";

/** What others do with the page while it is open here. */
export interface Others {
  /** Who else has the page open. */
  readonly people: ReadonlySignal<readonly Person[]>;
  /** The last change by another person; `isLoaded`: the text on the screen is the changed one. */
  readonly change: { value: (PageEvent & { isLoaded: boolean }) | null };
  stop(): void;
}

const REPEAT_MS = 30_000;
/** An own publication is announced before its response arrives. */
const WAIT_MS = 1_000;

/** Follows the page until `stop` is called. */
export function followOthers(session: EditSession): Others {
  const people = signal<readonly Person[]>([]);
  const change = signal<(PageEvent & { isLoaded: boolean }) | null>(null);
  const own = account.value?.user.id;
  const show = (all: readonly Person[]): void => {
    people.value = all.filter(({ id }) => id !== own);
  };
  const say = (path: string | null): void => void sendPresence(path).then(show, () => undefined);
  const timer = setInterval(() => say(session.path), REPEAT_MS);
  say(session.path);
  const leave = (): void => say(null);
  addEventListener("pagehide", leave);
  const seen = async (event: PageEvent): Promise<void> => {
    if (event.etag === session.live.value.hash) return;
    const isUntouched = session.state.value === "clean" && !session.stored.isDraft;
    if (isUntouched && event.kind !== "deleted") await reload(session).catch(() => undefined);
    change.value = { ...event, isLoaded: isUntouched };
  };
  const stop = listen({
    onPage: (event) => {
      if (event.path === session.path) setTimeout(() => void seen(event), WAIT_MS);
    },
    onPresence: (path, all) => {
      if (path === session.path) show(all);
    },
    onReset: () => say(session.path),
  });
  return {
    ...{ people, change },
    stop: () => {
      clearInterval(timer);
      removeEventListener("pagehide", leave);
      stop();
      say(null);
    },
  };
}
