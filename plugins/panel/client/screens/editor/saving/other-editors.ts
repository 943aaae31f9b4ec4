import { signal, type ReadonlySignal } from "@preact/signals";
import type { EditSession } from "./edit-session.js";
import { reload } from "../publish/page-actions.js";
import { ApiError, request } from "../../../api/request.js";
import type { PageSource } from "../../../api/answers.js";
import { listen, sendPresence, type PageEvent, type Person } from "../../../api/events.js";
import { session as account } from "../../../api/session.js";

/** A change of the live page; `by` null: of its file, absent: by an unknown person. */
type OtherChange = Pick<PageEvent, "kind"> & Partial<Pick<PageEvent, "by">>;

/** Follows what others do with the page while it is open here. */
export interface Others {
  /** The other people who have the page open. */
  readonly people: ReadonlySignal<readonly Person[]>;
  /** The last change by another person; `isLoaded`: the text on the screen is the changed one. */
  readonly change: { value: (OtherChange & { isLoaded: boolean }) | null };
  stop(): void;
}

const REPEAT_MS = 30_000;

/** Follows the page until `stop` is called. */
export function followOthers(session: EditSession): Others {
  const people = signal<readonly Person[]>([]);
  const change = signal<(OtherChange & { isLoaded: boolean }) | null>(null);
  const ownId = account.value?.user.id;
  const show = (all: readonly Person[]): void => {
    people.value = all.filter(({ id }) => id !== ownId);
  };
  const say = (path: string | null): void => void sendPresence(path).then(show, () => undefined);
  const timer = setInterval(() => say(session.path), REPEAT_MS);
  say(session.path);
  const leave = (): void => say(null);
  addEventListener("pagehide", leave);
  /** An event may be an own one, announced before its response arrives, or one that is shown already. */
  const compare = async (event: OtherChange): Promise<void> => {
    await session.acting;
    const { page, movedTo } = await readLive(session.path);
    if (movedTo !== null) {
      session.moveTo(movedTo);
      say(movedTo);
      return compare(event);
    }
    if (page === undefined) return;
    const hash = page?.hash ?? null;
    if (page !== null && hash === session.live.value.hash) {
      // Its address may be another one.
      session.live.value = page;
      return;
    }
    const isUntouched = session.state.value === "clean" && !session.stored.isDraft;
    const isLoaded = isUntouched && hash !== null;
    if (isLoaded) await reload(session).catch(() => undefined);
    change.value = { ...event, kind: hash === null ? "deleted" : event.kind, isLoaded };
  };
  const stop = listen({
    onPage: (event) => {
      if (event.path === session.path) void compare(event);
    },
    onPresence: (path, all) => {
      if (path === session.path) show(all);
    },
    onReset: () => {
      say(session.path);
      void compare({ kind: "saved" });
    },
  });
  return {
    people,
    change,
    stop: () => {
      clearInterval(timer);
      removeEventListener("pagehide", leave);
      stop();
      say(null);
    },
  };
}

/** The live page at a path. */
interface LivePage {
  /** Null when it is deleted, undefined when the server does not say. */
  readonly page: PageSource | null | undefined;
  /** The path to which it has moved; null: it has not. */
  readonly movedTo: string | null;
}

async function readLive(path: string): Promise<LivePage> {
  try {
    const { data } = await request("GET /pages/*path", { params: { path }, isBackground: true });
    return { page: data, movedTo: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) {
      return { page: undefined, movedTo: null };
    }
    return { page: null, movedTo: error.movedTo };
  }
}
