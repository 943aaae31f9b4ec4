import { z } from "zod";
import Bowser from "bowser";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { CollectionDefinition, RecordCollection, RecordStore } from "../records/contract.js";
import type {
  ListedSession,
  Session,
  SessionKind,
  SessionList,
  SessionOrigin,
  SessionService,
} from "./contract.js";

/** Shortest interval between two writes of `lastSeenAt`. */
const SEEN_EVERY_MS = 5 * 60_000;
/** Sessions listed per account; above it, the ones seen least recently are no longer listed. */
const MAX_LISTED = 100;
const MAX_AGENT_LENGTH = 300;

const sessionShape = z.object({
  /** The session's digest, hex. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  agent: z.string(),
  address: z.string(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  expiresAt: z.number(),
});
type NotedSession = z.infer<typeof sessionShape>;

const accountShape = z.object({ sessions: z.array(sessionShape) });
type AccountSessions = z.infer<typeof accountShape>;

const toCollection = (kind: SessionKind): CollectionDefinition<AccountSessions> => ({
  name: kind === "admin" ? "panel-sessions" : "visitor-sessions",
  key: /^[0-9a-f]{64}$/,
  parse: (value) => accountShape.safeParse(value).data ?? null,
});

/** Dependencies of a list of sessions. */
export interface SessionListOptions {
  /** The kind of the sessions in the list. */
  readonly kind: SessionKind;
  /** The active store of records. */
  readonly store: RecordStore;
  /** The sessions themselves. */
  session: Pick<SessionService, "find" | "revoke">;
  clock: Clock;
  log: Logger;
}

/**
 * Records where each account is signed in. The session store remains the authority: these records only describe
 * its sessions, so writing one never revives a session that was ended.
 */
export class NotedSessions implements SessionList {
  readonly #options: SessionListOptions;
  // No cache: when each session was noted last, so that requests do not read the record.
  readonly #noted = new Map<string, number>();

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  /** Notes a new session, or its use. Failing only means that the list is incomplete. */
  async note(session: Session, from: SessionOrigin): Promise<void> {
    const now = this.#options.clock.now();
    if (now - (this.#noted.get(session.id) ?? -Infinity) < SEEN_EVERY_MS) return;
    this.#forgetOld(now);
    this.#noted.set(session.id, now);
    const { createdAt, expiresAt } = session;
    const seen: NotedSession = {
      id: session.id.slice(this.#prefix.length),
      agent: from.agent.slice(0, MAX_AGENT_LENGTH),
      address: from.address,
      createdAt,
      lastSeenAt: now,
      expiresAt,
    };
    try {
      await this.#change(session.userId, (sessions) => [
        seen,
        ...sessions.filter(({ id, expiresAt: end }) => id !== seen.id && end > now),
      ]);
    } catch (error) {
      this.#options.log.warn("session.not_noted", engineFailureFields(error));
    }
  }

  /** The account's sessions that have not ended, the last seen first. */
  async list(userId: string): Promise<readonly ListedSession[]> {
    const stored = await this.#records.get(sha256(userId));
    const sessions = stored?.value.sessions ?? [];
    const stillOpen = await Promise.all(
      sessions.map(({ id }) => this.#options.session.find(this.#prefix + id)),
    );
    const live = sessions.filter((_, at) => stillOpen[at]?.userId === userId);
    return live
      .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? -1 : 1))
      .map(({ agent, ...rest }) => ({ ...rest, device: deviceName(agent) }));
  }

  /** Ends one session of the account; false when it has no such session. */
  async revoke(userId: string, id: string): Promise<boolean> {
    const opened = await this.#options.session.find(this.#prefix + id);
    if (opened?.userId !== userId) return false;
    await this.#options.session.revoke(this.#prefix + id);
    await this.#change(userId, (sessions) => sessions.filter((session) => session.id !== id));
    return true;
  }

  /** Deletes what is known about a deleted account. */
  async forget(userId: string): Promise<void> {
    await this.#records.delete(sha256(userId));
  }

  get #prefix(): string {
    return `${this.#options.kind}-`;
  }

  get #records(): RecordCollection<AccountSessions> {
    return this.#options.store.collection(toCollection(this.#options.kind));
  }

  async #change(
    userId: string,
    change: (sessions: readonly NotedSession[]) => NotedSession[],
  ): Promise<void> {
    await this.#records.update(sha256(userId), (stored) => ({
      sessions: change(stored?.sessions ?? []).slice(0, MAX_LISTED),
    }));
  }

  #forgetOld(now: number): void {
    for (const [id, at] of this.#noted) {
      if (now - at >= SEEN_EVERY_MS) this.#noted.delete(id);
    }
  }
}

/** Names the browser and system of a `User-Agent`: `Firefox 141 on Linux`. */
function deviceName(agent: string): string {
  if (agent === "") return "Unknown device";
  const { browser, os, platform } = Bowser.parse(agent);
  const { name = "" } = browser;
  if (name === "") return agent.split(/[\s/]/, 1)[0] ?? "Unknown device";
  const version = browser.version?.split(".", 1)[0] ?? "";
  const system = os.name ?? platform.type ?? "";
  return [name, version, system && `on ${system}`].filter((part) => part !== "").join(" ");
}
